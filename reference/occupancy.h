// Occupancy: how many blocks of a launch one multiprocessor (SM) can hold at once, by what the emulator knows.
//
// The limits are those of the CUDA C++ Programming Guide's table "Technical Specifications per Compute Capability"; the
// block limits have the names of Nsight Compute's section "Occupancy". How many registers a thread takes is the compiler's
// choice and not known here, so every figure is an upper bound.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace histolab::reference {

// Of one SM, with the largest share of its memory given to shared memory.
struct DeviceLimits {
  std::string_view profile;             // "h200"
  std::string_view name;                // "NVIDIA H200"
  std::string_view compute_capability;  // "9.0"
  std::uint32_t warps = 0;
  std::uint32_t blocks = 0;
  std::uint32_t registers = 0;               // of 32 bits
  std::uint64_t shared_bytes = 0;
  std::uint64_t shared_bytes_per_block = 0;  // the most a block may have, beyond 48 KiB by opt-in
  std::uint64_t shared_bytes_reserved = 0;   // by the system, in each block
  std::uint64_t shared_allocation_unit = 0;  // a block's shared memory is rounded up to a multiple

  [[nodiscard]] std::uint32_t threads() const { return warps * 32; }
};

inline constexpr std::array device_limits = {
    DeviceLimits{"h200", "NVIDIA H200", "9.0", 64, 32, 65536, 228 * 1024, 227 * 1024, 1024, 128},
    DeviceLimits{"a100", "NVIDIA A100", "8.0", 64, 32, 65536, 164 * 1024, 163 * 1024, 1024, 128},
    DeviceLimits{"rtx4090", "NVIDIA GeForce RTX 4090", "8.9", 48, 24, 65536, 100 * 1024, 99 * 1024, 1024, 128},
    DeviceLimits{"t4", "NVIDIA T4", "7.5", 32, 16, 65536, 64 * 1024, 64 * 1024, 0, 256},
};

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
[[nodiscard]] Occupancy occupancy(const DeviceLimits& device, std::uint64_t block_size, std::uint64_t shared_bytes);

}  // namespace histolab::reference
