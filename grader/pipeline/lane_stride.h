// The stride of a warp: the distance between the recorded accesses of neighbouring threads in one
// source line.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "kernels/device.h"

namespace histolab::grader {

// Returns the number of bytes from one thread's access to the next thread's, for most accesses of
// `line` to global memory. Returns nullopt if there is no common distance or nothing was recorded.
// Both neighbours must be active.
[[nodiscard]] std::optional<std::int64_t> lane_stride(
    const std::vector<kernels::RecordedAccess>& accesses, int line, kernels::Operation operation);

}  // namespace histolab::grader
