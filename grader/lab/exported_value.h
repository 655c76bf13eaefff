// Exports in a kernel's source: replaces a value without touching the file (`histolab run --export
// coarsening_factor=8`), and finds variables that only look like exports.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "grader/lab/lab.h"
#include "kernels/device.h"
#include "reference/result.h"

namespace histolab::grader {

// Returns `source` with another value for `extern "C" __device__ const unsigned int NAME = ...;`.
// The rest does not change, and neither do line numbers. Returns an Error if the source does not
// define such a variable with a value.
[[nodiscard]] Result<std::string> with_export(const std::string& source, const std::string& name,
                                              std::uint32_t value);

// A variable that is named like an export but is not exported. The launch would use the default
// value, while the kernel uses the variable.
struct HiddenExport {
  int line = 0;
  std::string message;  // for the student
};

// Returns nullopt if there is no such variable, or if it has the default value.
[[nodiscard]] std::optional<HiddenExport> hidden_export(const LabSpec& lab,
                                                        const kernels::Compiled& compiled,
                                                        const std::string& text);

}  // namespace histolab::grader
