// Occupancy: the number of blocks of a launch that one multiprocessor (SM) can hold at once.
//
// Every figure is an upper bound: the registers per thread are the compiler's choice and are
// unknown here. An SM is assumed to use the largest possible part of its memory as shared memory.
// The limits have the names of Nsight Compute's section "Occupancy".
#pragma once

#include <cstdint>
#include <string_view>

#include "reference/device_profile.h"

namespace histolab::reference {

struct Occupancy {
  // Blocks per SM, by each limit alone.
  std::uint32_t limit_warps = 0;
  std::uint32_t limit_blocks = 0;
  std::uint32_t limit_shared_mem = 0;  // 0 if a block needs more than a block may have
  // Per SM, by all limits.
  std::uint32_t blocks = 0;
  std::uint32_t warps = 0;
  double percent = 0;  // of the SM's warps
  // The smallest limit: "warps", "blocks" or "shared_mem". If limits are equal, the first of these.
  std::string_view limited_by;
};

// `block_size` is 1 to 1024 threads. `shared_bytes` is static plus dynamic shared memory per block.
[[nodiscard]] Occupancy occupancy(const DeviceProfile& device, std::uint64_t block_size,
                                  std::uint64_t shared_bytes);

}  // namespace histolab::reference
