// Occupancy: how many blocks of a launch one multiprocessor (SM) can hold at once, by what the emulator knows.
//
// An SM has the largest share of its memory given to shared memory. The block limits have the names of Nsight Compute's
// section "Occupancy". How many registers a thread takes is the compiler's choice and not known here, so every figure is an
// upper bound.
#pragma once

#include <cstdint>
#include <string_view>

#include "reference/device_profile.h"

namespace histolab::reference {

struct Occupancy {
  // Blocks that one SM holds, by each limit alone.
  std::uint32_t limit_warps = 0;
  std::uint32_t limit_blocks = 0;
  std::uint32_t limit_shared_mem = 0;  // 0: a block asks for more than there is
  // By all of them.
  std::uint32_t blocks = 0;
  std::uint32_t warps = 0;
  double percent = 0;  // of the SM's warps
  std::string_view limited_by;  // "warps", "blocks", "shared_mem": the smallest limit, the first of those that are equal
};

// Of blocks of 1 to 1024 threads; `shared_bytes`: static and dynamic.
[[nodiscard]] Occupancy occupancy(const DeviceProfile& device, std::uint64_t block_size, std::uint64_t shared_bytes);

}  // namespace histolab::reference
