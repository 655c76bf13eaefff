// The figures of a GPU that cudaGetDeviceProperties and cudaDeviceGetAttribute report.
#pragma once

#include <cstdint>
#include <optional>

#include "kernels/program/state/cuda_values.h"
#include "reference/device_profile.h"

namespace histolab::kernels::program {

// Figures that reference::DeviceProfile does not have: those of NVIDIA's data sheets and, for the
// H200, of cudaDeviceGetAttribute. Clocks in kHz.
struct DeviceFacts {
  int clock_khz = 0, memory_clock_khz = 0, memory_bus_bits = 0;
  int l2_bytes = 0, double_ratio = 0;  // single-precision throughput by double-precision throughput
  // Modelled rates of copies in GB/s: between host and device, and in device memory.
  double host_copy_gb_per_s = 0, device_copy_gb_per_s = 0;
};
[[nodiscard]] const DeviceFacts& facts_of(const reference::DeviceProfile& profile);

// `memory_bytes`: size of the emulator's device memory.
[[nodiscard]] cudaDeviceProp properties_of(const reference::DeviceProfile& profile,
                                           std::uint64_t memory_bytes);
// Returns nullopt if CUDA has no such attribute.
[[nodiscard]] std::optional<int> attribute_of(const cudaDeviceProp& properties, int attribute);

}  // namespace histolab::kernels::program
