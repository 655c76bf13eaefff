// One launch that is sure to end: in time, by the kernel's own error, by the watchdog, or with its process.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "kernels/gpu/loaded_kernel.h"
#include "kernels/gpu/protocol.h"

namespace histolab::kernels::gpu {

// How a launch ended that did not complete. After every ending but an invalid launch the process cannot use the GPU any more and
// must not free what the kernel may still use.
struct BadEnd {
  Ending ending = Ending::stopped;
  std::string detail;
  std::optional<Finding> finding;
  bool still_running = false;  // it is ended with the process
};

// Launches `kernel` in `stream` and waits for it. Returns nullopt if it completed. Nothing may be
// allocated or freed meanwhile. Throws CudaError for the machine's faults.
[[nodiscard]] std::optional<BadEnd> launch_watched(LoadedKernel& kernel, const KernelImage& image, std::vector<void*>& values, cudaStream_t stream,
                                                   std::span<const std::uint8_t> harness, std::chrono::milliseconds limit);

// A launch that took too long.
[[nodiscard]] BadEnd too_late(std::chrono::milliseconds limit, bool still_running);
// The kernel's own error as a verdict; throws it again where it is the machine's.
[[nodiscard]] BadEnd bad_end_of(const class CudaError& error);

}  // namespace histolab::kernels::gpu
