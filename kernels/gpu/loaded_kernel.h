// LoadedKernel: a cubin that is loaded on the GPU; the destructor unloads it. Only loading it again
// guarantees that no value survives in its `__device__` memory.
#pragma once

#include <cuda_runtime_api.h>

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "kernels/device.h"

namespace histolab::kernels::gpu {

class LoadedKernel {
 public:
  // `is_cooperative` means that all blocks of a launch must be resident. Throws CudaError.
  LoadedKernel(std::span<const std::uint8_t> cubin, const std::string& symbol,
               bool is_cooperative = false);
  LoadedKernel(const LoadedKernel&) = delete;
  LoadedKernel& operator=(const LoadedKernel&) = delete;
  ~LoadedKernel() { cudaLibraryUnload(library_); }

  // Starts the kernel. `arguments` has a pointer to each parameter's value. Returns the runtime's
  // error for the launch itself. A launch shape that this GPU does not support is
  // cudaErrorInvalidValue, cudaErrorInvalidConfiguration or cudaErrorLaunchOutOfResources. A
  // cooperative grid that does not fit on the GPU at once is cudaErrorCooperativeLaunchTooLarge.
  [[nodiscard]] cudaError_t launch(const LaunchConfig& config, std::vector<void*>& arguments,
                                   cudaStream_t stream);

 private:
  cudaLibrary_t library_ = nullptr;
  cudaKernel_t kernel_ = nullptr;
  const bool is_cooperative_;
};

}  // namespace histolab::kernels::gpu
