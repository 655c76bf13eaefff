#include "kernels/cuda/launch.cuh"

#include <algorithm>
#include <atomic>
#include <random>

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

std::size_t samples_per_block(std::size_t length, unsigned sample_bytes) {
  const std::size_t least = 65536 / sample_bytes;
  return std::min(length, std::max(least, length / device_limits().multiprocessors));
}

unsigned shared_bytes_per_block() { return device_limits().shared_bytes_per_block; }

Partition deal(const void* samples, std::size_t length, unsigned sample_bytes, std::size_t round_bytes,
               unsigned blocks_per_multiprocessor, unsigned parts, double second_wave) {
  const std::size_t bytes = length * sample_bytes,
                    rounds = std::max<std::size_t>(1, (bytes + round_bytes - 1) / round_bytes);
  const std::size_t resident = std::max(1u, device_limits().multiprocessors * blocks_per_multiprocessor / parts);
  return partition(samples, length, sample_bytes, static_cast<unsigned>(std::min(rounds, resident)), parts,
                   rounds >= 32 * resident ? second_wave : 0);
}

unsigned launch_multiplier() {
  static std::atomic<std::uint64_t> state = std::random_device{}();
  std::uint64_t z = state += 0x9e3779b97f4a7c15;  // SplitMix64
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
  z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
  return static_cast<unsigned>(z >> 32) | 1;
}

}  // namespace histolab::kernels::cuda
