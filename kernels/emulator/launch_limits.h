// What a launch may ask of a device: shapes, threads, shared memory. A launch that no GPU would begin is a finding.
#pragma once

#include <cstdint>
#include <optional>

#include "kernels/device.h"
#include "kernels/finding.h"
#include "reference/device_profile.h"

namespace histolab::kernels::emulator {

// What the kernel itself says.
struct KernelLimits {
  std::uint64_t static_shared_bytes = 0;
  std::uint32_t max_threads_per_block = 0;  // promised by __launch_bounds__; 0: nothing was
  bool is_cooperative = false;              // all blocks must be resident
};

// nullopt: the device begins it.
[[nodiscard]] std::optional<Finding> refuse_launch(const LaunchConfig& config, const KernelLimits& kernel,
                                                   const reference::DeviceProfile& profile);

}  // namespace histolab::kernels::emulator
