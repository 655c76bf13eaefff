// Reports as JSON: `histolab/report/1` (docs/report.schema.json) and `histolab/run/1` (docs/run.schema.json).
//
// The same value gives the same bytes. Text that is no UTF-8 (a kernel may print anything) has its bad bytes replaced.
#pragma once

#include <string>

#include "grader/report.h"

namespace histolab::grader {

[[nodiscard]] std::string to_json(const Report& report);

// One launch of `run`.
struct RunReport {
  std::string version, device_kind, device_name, sandbox;
  std::string lab, kernel_path;
  std::uint64_t seed = 1;
  bool compiled = false;
  bool refused = false;
  std::vector<kernels::Diagnostic> diagnostics;
  CaseResult result;  // one launch; as it was planned when the kernel does not compile
};
[[nodiscard]] std::string to_json(const RunReport& run);

}  // namespace histolab::grader
