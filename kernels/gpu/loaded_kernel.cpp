#include "kernels/gpu/loaded_kernel.h"

#include "kernels/gpu/runtime.h"

namespace histolab::kernels::gpu {
namespace {

constexpr std::uint32_t without_opt_in = 48 * 1024;

dim3 dim_of(const Dim3& d) { return {d.x, d.y, d.z}; }

}  // namespace

LoadedKernel::LoadedKernel(std::span<const std::uint8_t> cubin, const std::string& symbol,
                           bool is_cooperative)
    : is_cooperative_(is_cooperative) {
  check(cudaLibraryLoadData(&library_, cubin.data(), nullptr, nullptr, 0, nullptr, nullptr, 0),
        "load the compiled kernel");
  check(cudaLibraryGetKernel(&kernel_, library_, symbol.c_str()),
        "find the kernel in the compiled code");
  // Reading the attributes copies the code to the GPU, so the first launch is as
  // fast as the second.
  cudaFuncAttributes attributes{};
  check(cudaFuncGetAttributes(&attributes, reinterpret_cast<const void*>(kernel_)),
        "prepare the kernel");
}

cudaError_t LoadedKernel::launch(const LaunchConfig& config, std::vector<void*>& arguments,
                                 cudaStream_t stream) {
  const void* function = reinterpret_cast<const void*>(kernel_);
  if (config.shared_opt_in && config.dynamic_shared_bytes > without_opt_in) {
    const cudaError_t allowed =
        cudaFuncSetAttribute(function, cudaFuncAttributeMaxDynamicSharedMemorySize,
                             static_cast<int>(config.dynamic_shared_bytes));
    if (allowed != cudaSuccess) return allowed;
  }
  if (is_cooperative_)
    return cudaLaunchCooperativeKernel(function, dim_of(config.grid), dim_of(config.block),
                                       arguments.data(), config.dynamic_shared_bytes, stream);
  return cudaLaunchKernel(function, dim_of(config.grid), dim_of(config.block), arguments.data(),
                          config.dynamic_shared_bytes, stream);
}

}  // namespace histolab::kernels::gpu
