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
  // `is_cooperative`: all blocks of a launch must be resident.
  LoadedKernel(std::span<const std::uint8_t> cubin, const std::string& symbol,
               bool is_cooperative = false);
  LoadedKernel(const LoadedKernel&) = delete;
  LoadedKernel& operator=(const LoadedKernel&) = delete;
  ~LoadedKernel() { cudaLibraryUnload(library_); }

  // `arguments`: a pointer to each parameter's value. What the runtime says to the launch itself: a shape that no GPU of
  // this kind takes is cudaErrorInvalidValue, cudaErrorInvalidConfiguration or cudaErrorLaunchOutOfResources; a grid that it
  // cannot hold at once is cudaErrorCooperativeLaunchTooLarge.
  [[nodiscard]] cudaError_t launch(const LaunchConfig& config, std::vector<void*>& arguments, cudaStream_t stream);

 private:
  cudaLibrary_t library_ = nullptr;
  cudaKernel_t kernel_ = nullptr;
  const bool is_cooperative_;
};

}  // namespace histolab::kernels::gpu
