// Exports of a kernel, by its source: another value without touching its file (`histolab run
// --export coarsening_factor=8`), and variables that only look like exports.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "grader/lab/lab.h"
#include "kernels/device.h"
#include "reference/result.h"

namespace histolab::grader {

// `source` with `value` in place of what `extern "C" __device__ const unsigned int NAME = ...;`
// says; all else, lines and columns before it too, stays as it is. Error: the source defines no
// such variable, or gives it no value.
[[nodiscard]] Result<std::string> with_export(const std::string& source, const std::string& name,
                                              std::uint32_t value);

// A variable with an export's name that is not exported: the launch would go by the default, and
// the kernel by the variable.
struct HiddenExport {
  int line = 0;
  std::string message;  // for the student
};

// Returns nullopt without such a variable, or if it has the default value.
[[nodiscard]] std::optional<HiddenExport> hidden_export(const LabSpec& lab,
                                                        const kernels::Compiled& compiled,
                                                        const std::string& text);

}  // namespace histolab::grader
