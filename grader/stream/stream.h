// Stream: reports a running launch, one JSON object per line (`histolab/stream/1`,
// docs/stream.schema.json).
//
//   per launch: begin, progress ..., accesses ..., result, end. An error is the last line.
//
// The launch of a whole program has no progress: it is reported after the program's end.
//
// Each function returns whole lines with their newlines. Invalid UTF-8 is replaced.
#pragma once

#include <cstdint>
#include <optional>
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

// One launch of a whole program after the program's end, or a program that does not compile.
struct StreamedLaunch {
  struct SourceText {
    std::string file, text;
  };
  struct Diagnostic {
    std::string file;
    kernels::Diagnostic diagnostic;
  };
  std::string program;       // Its first source.
  std::uint64_t number = 1;  // Of the launch, from 1.
  std::string kernel;        // "histogram<256>", or empty for a program that does not compile
  kernels::Dim3 grid, block;
  std::vector<std::string> launches;  // The program's first ones, in words.
  std::uint64_t launch_count = 0;
  kernels::Schedule schedule = kernels::Schedule::lockstep;
  std::uint64_t seed = 1;
  std::string device_name;  // Of the emulator.
  // The file whose lines have the most memory requests first; if the program does not compile, the
  // one with the most errors.
  std::vector<SourceText> sources;
  std::vector<std::string> files;  // A change of one of them may change the program.
  std::vector<Diagnostic> diagnostics;
  kernels::Observation observation;  // its findings include those of the host code
  std::string profile;               // Of the modelled time.
  double modelled_ms = 0;            // 0 if it is unknown.
  // The end of the whole program: one of these two if it ran, and the limit that ended it.
  std::optional<int> exit_status, signal;
  std::string program_ending;
};
// All events of the launch.
[[nodiscard]] std::string launch_lines(const StreamedLaunch& launch);

[[nodiscard]] std::string begin_line(const StreamBegin& begin);
[[nodiscard]] std::string progress_line(const StreamProgress& progress);
// Splits the accesses into lines of at most 256 rows.
[[nodiscard]] std::string access_lines(std::uint64_t run,
                                       const std::vector<kernels::RecordedAccess>& accesses);
[[nodiscard]] std::string result_line(std::uint64_t run, const RunReport& report);
[[nodiscard]] std::string end_line(std::uint64_t run);
[[nodiscard]] std::string error_line(const std::string& message);

}  // namespace histolab::grader
