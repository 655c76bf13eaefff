// Stream: a launch as it happens, one JSON object a line (`histolab/stream/1`,
// docs/stream.schema.json).
//
//   begin, progress ..., accesses ..., result, end      for each launch; or an error, after which
//   nothing follows
//
// Each function gives whole lines, each with its newline; text that is no UTF-8 has its bad bytes
// replaced.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "grader/lab/launch_plan.h"
#include "grader/report/report.h"
#include "kernels/device.h"

namespace histolab::grader {

// A launch that is about to be made, or of a kernel that does not compile.
struct StreamBegin {
  std::uint64_t run = 1;  // launches are counted from 1
  const LabSpec& lab;
  const RunReport& plan;
  const std::string& source;  // the kernel's text
  const Exports& exports;
  reference::Values expected;  // what the output has to hold in the end
};

// How far a launch is. What comes from the process that runs it is not believed: the caller has
// bounded it.
struct StreamProgress {
  std::uint64_t run = 1;
  bool paused = false;
  std::uint64_t steps = 0, blocks = 0;  // a step is one pass of one warp (kernels/live.h)
  std::uint64_t elements_read = 0;
  std::vector<std::uint64_t> of_read;  // the true histogram of the elements that were read
  reference::Values histogram;         // what lies in the bins
  double elapsed_s = 0;                // since the launch began
};

[[nodiscard]] std::string begin_line(const StreamBegin& begin);
[[nodiscard]] std::string progress_line(const StreamProgress& progress);
// As many lines as needed: one has 256 rows at most.
[[nodiscard]] std::string access_lines(std::uint64_t run,
                                       const std::vector<kernels::RecordedAccess>& accesses);
[[nodiscard]] std::string result_line(std::uint64_t run, const RunReport& report);
[[nodiscard]] std::string end_line(std::uint64_t run);
[[nodiscard]] std::string error_line(const std::string& message);

}  // namespace histolab::grader
