// Checks a launch against a device's limits: shape, threads, shared memory. A launch that every GPU
// refuses is a finding.
#pragma once

#include <cstdint>
#include <optional>

#include "kernels/device.h"
#include "kernels/finding.h"
#include "reference/device_profile.h"

namespace histolab::kernels::emulator {

// Facts from the kernel itself.
struct KernelLimits {
  std::uint64_t static_shared_bytes = 0;
  std::uint32_t max_threads_per_block = 0;  // from __launch_bounds__, 0 without it
  bool is_cooperative = false;              // all blocks must be resident
};

// Returns the finding for the first limit that the launch exceeds. Returns nullopt if the device
// accepts it.
[[nodiscard]] std::optional<Finding> refuse_launch(const LaunchConfig& config,
                                                   const KernelLimits& kernel,
                                                   const reference::DeviceProfile& profile);

}  // namespace histolab::kernels::emulator
