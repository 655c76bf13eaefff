// The launch of a counting kernel, and the zeroing of its results.
//
// A kernel here adds its counts to results that must be zero, once, at its end. Up to so many bins that one block zeroes them
// in no time, the first block does (tickets.cuh): a kernel that does it costs 0.5 us, 1 % of what 2^28 bytes take. More
// are zeroed by a kernel of their own. On sm_90 and later that one and the counting one overlap (programmatic dependent
// launch): the second starts at once and calls wait_for_zeros() before it adds. Earlier architectures launch one after the
// other.
#pragma once

#include <cuda_runtime.h>

#include "kernels/cuda/histogram.h"
#include "kernels/cuda/partition.h"
#include "kernels/cuda/plan.h"
#include "kernels/cuda/workspace.h"
#include "kernels/gpu/runtime.h"

namespace histolab::kernels::cuda {

__device__ __forceinline__ void wait_for_zeros() {
#if __CUDA_ARCH__ >= 900
  cudaGridDependencySynchronize();
#endif
}

// bins counters of `histogram` become 0 in stream order.
void zero(Count* histogram, unsigned bins, cudaStream_t stream);

// The facts that a launch needs about the current device.
struct DeviceLimits {
  Chip chip;
  bool launches_overlap = false;
};
[[nodiscard]] const DeviceLimits& device_limits();

// The samples dealt to as many blocks as a device holds at once, or to fewer if those would have less than `least_bytes`
// each; for Walk::stride to stride_blocks() of them. A round has `round_units` of 512 bytes. More than max_parts parts are a
// std::invalid_argument, unless each has one block.
[[nodiscard]] Partition deal(const void* samples, std::size_t length, unsigned sample_bytes, unsigned least_bytes,
                             Walk walk, unsigned round_units, unsigned blocks_per_multiprocessor,
                             const Workspace& workspace, unsigned parts = 1);
template <class Shape>  // Sweeping or Striding
[[nodiscard]] Partition deal(const void* samples, std::size_t length, unsigned sample_bytes, unsigned least_bytes,
                             const Workspace& workspace, unsigned parts = 1) {
  return deal(samples, length, sample_bytes, least_bytes, Shape::kind, Shape::threads / 32 * Shape::loads,
              Shape::blocks, workspace, parts);
}

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

// kernel(p, arguments...) with results that another block or kernel zeroes, except if they are
// `assigned` by the one block that there is for them.
template <class... Parameters, class... Arguments>
void launch_counting(Partition p, Count* histogram, unsigned bins, bool assigned,
                     void (*kernel)(Partition, Parameters...), unsigned threads, unsigned shared_bytes,
                     cudaStream_t stream, Arguments... arguments) {
  constexpr unsigned one_block_zeroes = 4096;
  p.zeroes = !assigned && bins <= one_block_zeroes;
  const bool overlap = !assigned && !p.zeroes;
  if (overlap) zero(histogram, bins, stream);
  launch(kernel, {p.blocks(), threads, shared_bytes}, overlap, stream, p, arguments...);
}

}  // namespace histolab::kernels::cuda
