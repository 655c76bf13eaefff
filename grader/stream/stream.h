// Stream: reports a running launch, one JSON object per line (`histolab/stream/1`,
// docs/stream.schema.json).
//
//   per launch: begin, progress ..., accesses ..., result, end. An error is the last line.
//
// Each function returns whole lines with their newlines. Invalid UTF-8 is replaced.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "grader/lab/launch_plan.h"
#include "grader/report/report.h"
#include "kernels/device.h"

namespace histolab::grader {

// A launch that is about to begin, or that cannot begin because the kernel does not compile.
struct StreamBegin {
  std::uint64_t run = 1;  // launches are counted from 1
  const LabSpec& lab;
  const RunReport& plan;
  const std::string& source;  // the kernel's text
  const Exports& exports;
  reference::Values expected;  // the correct output
};

// Progress of a launch. The process that runs it is not trusted: the caller has bounded its values.
struct StreamProgress {
  std::uint64_t run = 1;
  bool paused = false;
  std::uint64_t steps = 0, blocks = 0;  // a step is one pass of one warp (kernels/live.h)
  std::uint64_t elements_read = 0;
  std::vector<std::uint64_t> of_read;  // true histogram of the elements that were read
  reference::Values histogram;         // current contents of the bins
  double elapsed_s = 0;                // since the launch began
};

[[nodiscard]] std::string begin_line(const StreamBegin& begin);
[[nodiscard]] std::string progress_line(const StreamProgress& progress);
// Splits the accesses into lines of at most 256 rows.
[[nodiscard]] std::string access_lines(std::uint64_t run,
                                       const std::vector<kernels::RecordedAccess>& accesses);
[[nodiscard]] std::string result_line(std::uint64_t run, const RunReport& report);
[[nodiscard]] std::string end_line(std::uint64_t run);
[[nodiscard]] std::string error_line(const std::string& message);

}  // namespace histolab::grader
