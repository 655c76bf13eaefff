#include "kernels/cuda/launch.cuh"

#include <algorithm>
#include <random>
#include <stdexcept>

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
    return DeviceLimits{{attribute(cudaDevAttrMultiProcessorCount),
                         attribute(cudaDevAttrMaxSharedMemoryPerBlockOptin)},
                        attribute(cudaDevAttrComputeCapabilityMajor) >= 9};
  }();
  return limits;
}

Chip current_chip() { return device_limits().chip; }

Partition deal(const void* samples, std::size_t length, unsigned sample_bytes, unsigned least_bytes,
               Walk walk, unsigned round_units, unsigned blocks_per_multiprocessor,
               const Workspace& workspace, unsigned parts) {
  const Chip& chip = device_limits().chip;
  const std::size_t bytes = length * sample_bytes, blocks = (bytes + least_bytes - 1) / least_bytes,
                    resident =
                        std::max(1u, chip.multiprocessors * blocks_per_multiprocessor / parts);
  const unsigned ranges = walk == Walk::stride
                              ? std::max(1u, stride_blocks(bytes, least_bytes, chip) / parts)
                              : static_cast<unsigned>(std::clamp<std::size_t>(blocks, 1, resident));
  if (parts > max_parts && ranges > 1)
    throw std::invalid_argument("a plan of more parts than a workspace has counters for");
  Partition p = partition(samples, length, sample_bytes, round_units, ranges, parts,
                          walk == Walk::stride ? bytes : dealt_in_tickets(bytes, chip));
  p.progress = workspace.progress();
  return p;
}

unsigned launch_multiplier() {
  thread_local std::mt19937 generator{std::random_device{}()};
  return static_cast<unsigned>(generator()) | 1;
}

}  // namespace histolab::kernels::cuda
