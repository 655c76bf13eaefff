// Another value for what a kernel exports, without touching its file: `histolab run --export coarsening_factor=8`.
#pragma once

#include <cstdint>
#include <string>

#include "reference/result.h"

namespace histolab::grader {

// `source` with `value` in place of what `extern "C" __device__ const unsigned int NAME = ...;` says; all else, lines
// and columns before it too, stays as it is. Error: the source defines no such variable, or gives it no value.
[[nodiscard]] Result<std::string> with_export(const std::string& source, const std::string& name, std::uint32_t value);

}  // namespace histolab::grader
