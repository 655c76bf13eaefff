// DeviceProfile: what a GPU allows one launch and one block, and how many blocks fit on one of its multiprocessors.
//
// Numbers of the hardware, not of a run: NVIDIA's CUDA C++ Programming Guide, "Technical Specifications per Compute
// Capability", and cudaGetDeviceProperties. The first profile is the one that is meant where nothing else is said.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace histolab::reference {

struct DeviceProfile {
  std::string_view name;   // "h200"
  std::string_view title;  // "NVIDIA H200"
  int compute_capability = 0;  // 90: sm_90
  std::uint32_t multiprocessors = 0;

  // Of a launch and a block; the same on all devices since compute capability 3.0.
  std::uint32_t max_threads_per_block = 1024;
  std::uint32_t max_block_x = 1024, max_block_y = 1024, max_block_z = 64;
  std::uint32_t max_grid_x = 0x7fffffff, max_grid_y = 65535, max_grid_z = 65535;

  // Of a block, in bytes. More than the first needs cudaFuncAttributeMaxDynamicSharedMemorySize, and only dynamic memory
  // gets it: static arrays never have more.
  std::uint32_t shared_bytes_per_block = 48 * 1024;
  std::uint32_t shared_bytes_per_block_opt_in = 0;

  // Of a multiprocessor.
  std::uint32_t shared_bytes_per_multiprocessor = 0;
  std::uint32_t shared_bytes_reserved_per_block = 0;  // the driver's, of each resident block
  std::uint32_t shared_allocation_unit = 0;           // a block's are rounded up to a multiple: the CUDA occupancy calculator's
  std::uint32_t max_threads_per_multiprocessor = 0;
  std::uint32_t max_blocks_per_multiprocessor = 0;

  [[nodiscard]] constexpr std::uint32_t max_warps_per_multiprocessor() const { return max_threads_per_multiprocessor / 32; }
};

namespace detail {
constexpr DeviceProfile profile(std::string_view name, std::string_view title, int capability, std::uint32_t multiprocessors,
                                std::uint32_t opt_in_kib, std::uint32_t shared_kib, std::uint32_t reserved, std::uint32_t unit,
                                std::uint32_t threads, std::uint32_t blocks) {
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

//                                                          sm   SMs  KiB of a block, of an SM   reserved, unit  threads and blocks of an SM
inline constexpr std::array device_profiles = {
    detail::profile("h200", "NVIDIA H200",                  90,  132,  227,            228,       1024, 128,      2048, 32),
    detail::profile("h100", "NVIDIA H100",                  90,  132,  227,            228,       1024, 128,      2048, 32),
    detail::profile("a100", "NVIDIA A100",                  80,  108,  163,            164,       1024, 128,      2048, 32),
    detail::profile("rtx4090", "NVIDIA GeForce RTX 4090",   89,  128,   99,            100,       1024, 128,      1536, 24),
    detail::profile("t4", "NVIDIA T4",                      75,   40,   64,             64,          0, 256,      1024, 16),
};

// nullptr: there is none of this name.
[[nodiscard]] constexpr const DeviceProfile* find_device_profile(std::string_view name) {
  for (const DeviceProfile& profile : device_profiles)
    if (profile.name == name) return &profile;
  return nullptr;
}

}  // namespace histolab::reference
