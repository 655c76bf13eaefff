#include "kernels/cuda/launch.cuh"

#include <algorithm>

namespace histolab::kernels::cuda {
namespace {

__global__ void set_zero(Count* histogram, unsigned bins) {
#if __CUDA_ARCH__ >= 900
  cudaTriggerProgrammaticLaunchCompletion();
#endif
  const unsigned bin = blockIdx.x * blockDim.x + threadIdx.x;
  if (bin < bins) histogram[bin] = 0;
}

}  // namespace

void zero(Count* histogram, unsigned bins, cudaStream_t stream) {
  set_zero<<<(bins + 255) / 256, 256, 0, stream>>>(histogram, bins);
  gpu::check(cudaGetLastError(), "launch a kernel");
}

const DeviceLimits& device_limits() {
  static const DeviceLimits limits = [] {
    int device = 0;
    gpu::check(cudaGetDevice(&device), "ask which GPU is in use");
    const auto attribute = [device](cudaDeviceAttr which) {
      int value = 0;
      gpu::check(cudaDeviceGetAttribute(&value, which, device), "ask the GPU for its limits");
      return static_cast<unsigned>(value);
    };
    return DeviceLimits{attribute(cudaDevAttrMultiProcessorCount), attribute(cudaDevAttrMaxSharedMemoryPerBlockOptin),
                        attribute(cudaDevAttrComputeCapabilityMajor) >= 9};
  }();
  return limits;
}

Waves waves_override;
Partition deal(const void* samples, std::size_t length, unsigned sample_bytes, std::size_t round_bytes, unsigned blocks_per_multiprocessor) {
  const std::size_t bytes = length * sample_bytes, rounds = std::max<std::size_t>(1, (bytes + round_bytes - 1) / round_bytes);
  const auto blocks =
      static_cast<unsigned>(std::min<std::size_t>(rounds, device_limits().multiprocessors * blocks_per_multiprocessor));
  return partition(samples, length, sample_bytes, blocks, waves_override);
}

}  // namespace histolab::kernels::cuda
