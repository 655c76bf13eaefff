// The stride of a warp's threads: how far apart neighbouring threads access memory in one source
// line, from what was recorded.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "kernels/device.h"

namespace histolab::grader {

// Bytes from one thread's access to the next thread's, at most accesses to global memory that
// `line` made in that way; nullopt: there is no such distance, or nothing was recorded. Only
// neighbours that are both active count.
[[nodiscard]] std::optional<std::int64_t> lane_stride(
    const std::vector<kernels::RecordedAccess>& accesses, int line, kernels::Operation operation);

}  // namespace histolab::grader
