// A launch whose results are zeroed first without waiting for it.
//
// A kernel here adds its counts to results that must be zero, once, at its end. On sm_90 and later the zeroing kernel
// and the counting one overlap (programmatic dependent launch): the second starts at once and calls wait_for_zeros()
// before it adds. Earlier architectures launch one after the other.
#pragma once

#include <cuda_runtime.h>

#include "kernels/cuda/histogram.h"
#include "kernels/cuda/partition.h"
#include "kernels/gpu/runtime.h"

namespace histolab::kernels::cuda {

__device__ __forceinline__ void wait_for_zeros() {
#if __CUDA_ARCH__ >= 900
  cudaGridDependencySynchronize();
#endif
}

// bins counters of `histogram` become 0 in stream order.
void zero(Count* histogram, unsigned bins, cudaStream_t stream);

// What a launch must know of the current device.
struct DeviceLimits {
  unsigned multiprocessors = 0, shared_bytes_per_block = 0;  // what a block may ask for at most
  bool launches_overlap = false;
};
[[nodiscard]] const DeviceLimits& device_limits();

// The samples dealt to as many blocks as a device holds at once, or to fewer where `round_bytes` for each are more than
// there is.
[[nodiscard]] Partition deal(const void* samples, std::size_t length, unsigned sample_bytes, std::size_t round_bytes,
                             unsigned blocks_per_multiprocessor, unsigned parts = 1, double second_wave = 0);

// Odd, and another one for each launch.
[[nodiscard]] unsigned launch_multiplier();

struct Shape {
  unsigned blocks, threads, shared_bytes = 0;
};

// `overlap`: may begin while the launch before it, a zero(), still runs.
template <class... Parameters, class... Arguments>
void launch(void (*kernel)(Parameters...), Shape shape, bool overlap, cudaStream_t stream, Arguments... arguments) {
  cudaLaunchConfig_t config{};
  config.gridDim = shape.blocks;
  config.blockDim = shape.threads;
  config.dynamicSmemBytes = shape.shared_bytes;
  config.stream = stream;
  cudaLaunchAttribute attributes[1]{};
  attributes[0].id = cudaLaunchAttributeProgrammaticStreamSerialization;
  attributes[0].val.programmaticStreamSerializationAllowed = 1;
  config.attrs = attributes;
  config.numAttrs = overlap && device_limits().launches_overlap ? 1 : 0;
  if (shape.shared_bytes > 0)
    gpu::check(
        cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, static_cast<int>(shape.shared_bytes)),
        "ask for shared memory");
  gpu::check(cudaLaunchKernelEx(&config, kernel, static_cast<Parameters>(arguments)...), "launch a kernel");
}

// zero() and the launch, or the launch alone where one range is all there is: its block writes its counts as the
// result.
template <class... Parameters, class... Arguments>
void launch_after_zero(const Partition& p, Count* histogram, unsigned bins, void (*kernel)(Parameters...), Shape shape,
                       cudaStream_t stream, Arguments... arguments) {
  const bool overlap = p.ranges() > 1;
  if (overlap) zero(histogram, bins, stream);
  launch(kernel, shape, overlap, stream, arguments...);
}

}  // namespace histolab::kernels::cuda
