// The result of `histolab exec`: one run of a program, as text, as JSON (docs/exec.schema.json) and
// as a page.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "grader/cli/program_sources.h"
#include "kernels/program/run/program_run.h"

namespace histolab::cli {

struct ExecReport {
  kernels::program::ProgramReport run;
  std::vector<std::string> sources, arguments;
  std::string schedule;
  std::uint64_t seed = 1;
  std::string profile;
  std::string modelled_device;  // name of the GPU whose times are modelled, or empty
  std::string output;           // of the program, both streams as they came; only for the page
  bool output_is_cut = false;   // `output` is only its beginning
};

// Launches of one kernel and shape from one line.
struct LaunchGroup {
  const kernels::program::ReportedLaunch* first = nullptr;
  std::uint64_t count = 0;
  double modelled_ms = 0;
  std::string ending;  // of the first launch that did not complete
};
[[nodiscard]] std::vector<LaunchGroup> groups_of(const kernels::program::ProgramReport& report);

// "128", or "16x16" and so on.
[[nodiscard]] std::string shape_text(const kernels::Dim3& size);
// "fill<int><<<16x2, 256>>> at main.cu:12".
[[nodiscard]] std::string launch_text(const kernels::program::ReportedLaunch& launch);
// A finding with the lines that it names, indented by two columns.
[[nodiscard]] std::string finding_text(const kernels::Finding& finding, Sources& sources);
[[nodiscard]] std::string ending_text(const kernels::program::ProgramReport& report);

[[nodiscard]] std::string summary_text(const ExecReport& exec, Sources& sources);
[[nodiscard]] std::string to_json(const ExecReport& exec);
// One page without other files, in light and dark.
[[nodiscard]] std::string to_page(const ExecReport& exec, Sources& sources);

}  // namespace histolab::cli
