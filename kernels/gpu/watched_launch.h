// A launch that always ends: in time, by the kernel's own error, by the watchdog, or
// with its process.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "kernels/gpu/loaded_kernel.h"
#include "kernels/gpu/protocol.h"

namespace histolab::kernels::gpu {

// The end of a launch that did not complete. Except after an invalid launch, the process cannot use
// the GPU any more, and it must not free memory that the kernel may still use.
struct BadEnd {
  Ending ending = Ending::stopped;
  std::string detail;
  std::optional<Finding> finding;
  bool still_running = false;  // the kernel will end with the process
};

// Launches `kernel` in `stream` and waits for it. Returns nullopt if it completed. Device memory
// must not be allocated or freed meanwhile. Throws CudaError if the machine fails.
[[nodiscard]] std::optional<BadEnd> launch_watched(LoadedKernel& kernel, const KernelImage& image,
                                                   std::vector<void*>& values, cudaStream_t stream,
                                                   std::span<const std::uint8_t> harness,
                                                   std::chrono::milliseconds limit);

// Returns the end of a launch that exceeded `limit`.
[[nodiscard]] BadEnd too_late(std::chrono::milliseconds limit, bool still_running);
// Converts an error of the kernel to a verdict. Throws `error` again if the machine caused it.
[[nodiscard]] BadEnd bad_end_of(const class CudaError& error);

}  // namespace histolab::kernels::gpu
