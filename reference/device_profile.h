// DeviceProfile: a GPU's limits for a launch and for a block, and the resources of one of its
// multiprocessors. Sources: NVIDIA's CUDA C++ Programming Guide, "Technical Specifications per
// Compute Capability", and cudaGetDeviceProperties. The first profile is the default.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace histolab::reference {

struct DeviceProfile {
  std::string_view name;       // "h200"
  std::string_view title;      // "NVIDIA H200"
  int compute_capability = 0;  // 90 is sm_90
  std::uint32_t multiprocessors = 0;

  // Limits per launch and per block; the same on all devices since compute capability 3.0.
  std::uint32_t max_threads_per_block = 1024;
  std::uint32_t max_block_x = 1024, max_block_y = 1024, max_block_z = 64;
  std::uint32_t max_grid_x = 0x7fffffff, max_grid_y = 65535, max_grid_z = 65535;

  // Limits per block, in bytes. More than the first limit needs
  // cudaFuncAttributeMaxDynamicSharedMemorySize, and only dynamic shared memory can have more.
  // Static arrays cannot.
  std::uint32_t shared_bytes_per_block = 48 * 1024;
  std::uint32_t shared_bytes_per_block_opt_in = 0;

  // Per multiprocessor. The driver reserves shared memory for each resident block. A block's shared
  // memory is rounded up to a multiple of the allocation unit (source: CUDA occupancy calculator).
  std::uint32_t shared_bytes_per_multiprocessor = 0;
  std::uint32_t shared_bytes_reserved_per_block = 0;
  std::uint32_t shared_allocation_unit = 0;  // in bytes
  std::uint32_t max_threads_per_multiprocessor = 0;
  std::uint32_t max_blocks_per_multiprocessor = 0;

  [[nodiscard]] constexpr std::uint32_t max_warps_per_multiprocessor() const {
    return max_threads_per_multiprocessor / 32;
  }
};

namespace detail {
constexpr DeviceProfile profile(std::string_view name, std::string_view title, int capability,
                                std::uint32_t multiprocessors, std::uint32_t opt_in_kib,
                                std::uint32_t shared_kib, std::uint32_t reserved,
                                std::uint32_t unit, std::uint32_t threads, std::uint32_t blocks) {
  DeviceProfile p;
  p.name = name;
  p.title = title;
  p.compute_capability = capability;
  p.multiprocessors = multiprocessors;
  p.shared_bytes_per_block_opt_in = opt_in_kib * 1024;
  p.shared_bytes_per_multiprocessor = shared_kib * 1024;
  p.shared_bytes_reserved_per_block = reserved;
  p.shared_allocation_unit = unit;
  p.max_threads_per_multiprocessor = threads;
  p.max_blocks_per_multiprocessor = blocks;
  return p;
}
}  // namespace detail

// Columns: name, title, sm, SMs; shared memory: KiB per block, KiB per SM, bytes reserved, bytes of
// the allocation unit; threads per SM, blocks per SM.
inline constexpr std::array device_profiles = {
    detail::profile("h200", "NVIDIA H200", 90, 132, 227, 228, 1024, 128, 2048, 32),
    detail::profile("h100", "NVIDIA H100", 90, 132, 227, 228, 1024, 128, 2048, 32),
    detail::profile("a100", "NVIDIA A100", 80, 108, 163, 164, 1024, 128, 2048, 32),
    detail::profile("rtx4090", "NVIDIA GeForce RTX 4090", 89, 128, 99, 100, 1024, 128, 1536, 24),
    detail::profile("t4", "NVIDIA T4", 75, 40, 64, 64, 0, 256, 1024, 16),
};

// Returns nullptr if there is no profile with this name.
[[nodiscard]] constexpr const DeviceProfile* find_device_profile(std::string_view name) {
  for (const DeviceProfile& profile : device_profiles)
    if (profile.name == name) return &profile;
  return nullptr;
}

}  // namespace histolab::reference
