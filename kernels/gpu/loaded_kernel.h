// LoadedKernel: a cubin on the GPU, from its loading to its unloading.
//
// Loading it again is the only way to be sure that nothing survives in its `__device__` memory.
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
  LoadedKernel(std::span<const std::uint8_t> cubin, const std::string& symbol);
  LoadedKernel(const LoadedKernel&) = delete;
  LoadedKernel& operator=(const LoadedKernel&) = delete;
  ~LoadedKernel() { cudaLibraryUnload(library_); }

  // `arguments`: a pointer to each parameter's value. What the runtime says to the launch itself: a shape that no GPU of
  // this kind takes is cudaErrorInvalidValue, cudaErrorInvalidConfiguration or cudaErrorLaunchOutOfResources.
  [[nodiscard]] cudaError_t launch(const LaunchConfig& config, std::vector<void*>& arguments, cudaStream_t stream);

 private:
  cudaLibrary_t library_ = nullptr;
  cudaKernel_t kernel_ = nullptr;
};

}  // namespace histolab::kernels::gpu
