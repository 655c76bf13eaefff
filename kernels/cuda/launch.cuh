// Launches a counting kernel and zeroes its results. launch_counting() explains the order of both.
#pragma once

#include <cuda_runtime.h>

#include "kernels/cuda/histogram.h"
#include "kernels/cuda/partition.h"
#include "kernels/cuda/plan.h"
#include "kernels/cuda/workspace.h"
#include "kernels/gpu/runtime.h"

namespace histolab::kernels::cuda {

// Waits until the kernel that zeroes the results has ended. A counting kernel calls it before it
// adds to the results.
__device__ __forceinline__ void wait_for_zeros() {
#if __CUDA_ARCH__ >= 900
  cudaGridDependencySynchronize();
#endif
}

// Sets `bins` counters of `histogram` to 0, in stream order.
void zero(Count* histogram, unsigned bins, cudaStream_t stream);

// The facts about the current device that a launch needs.
struct DeviceLimits {
  Chip chip;
  bool launches_overlap = false;
};
[[nodiscard]] const DeviceLimits& device_limits();

// Distributes the samples over as many blocks as the device holds at once, or over fewer if each
// would have less than `least_bytes`. For Walk::stride, uses stride_blocks() blocks. A round has
// `round_units` units of 512 bytes. Throws std::invalid_argument if there are more than max_parts
// parts, unless each part has one block.
[[nodiscard]] Partition deal(const void* samples, std::size_t length, unsigned sample_bytes,
                             unsigned least_bytes, Walk walk, unsigned round_units,
                             unsigned blocks_per_multiprocessor, const Workspace& workspace,
                             unsigned parts = 1);
template <class Shape>  // Sweeping or Striding
[[nodiscard]] Partition deal(const void* samples, std::size_t length, unsigned sample_bytes,
                             unsigned least_bytes, const Workspace& workspace, unsigned parts = 1) {
  return deal(samples, length, sample_bytes, least_bytes, Shape::kind,
              Shape::threads / 32 * Shape::loads, Shape::blocks, workspace, parts);
}

// Returns an odd random number, a different one for each launch.
[[nodiscard]] unsigned launch_multiplier();

struct Shape {
  unsigned blocks, threads, shared_bytes = 0;
};

// `overlap` means that the kernel may begin while the previous launch, a zero(), still runs.
template <class... Parameters, class... Arguments>
void launch(void (*kernel)(Parameters...), Shape shape, bool overlap, cudaStream_t stream,
            Arguments... arguments) {
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
    gpu::check(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                    static_cast<int>(shape.shared_bytes)),
               "ask for shared memory");
  gpu::check(cudaLaunchKernelEx(&config, kernel, static_cast<Parameters>(arguments)...),
             "launch a kernel");
}

// Launches kernel(p, arguments...), which adds its counts to the results once, at its end. The
// results must be zero by then, unless their only block assigns them (`assigned`). If there are few
// bins, the first block zeroes them (tickets.cuh), which takes almost no time. A separate kernel
// costs 0.5 us, 1 % of the time for 2^28 bytes; it zeroes larger histograms. On sm_90 and later,
// the counting kernel overlaps with it (programmatic dependent launch): it starts at once and calls
// wait_for_zeros() before it adds. Earlier architectures run both one after the other.
template <class... Parameters, class... Arguments>
void launch_counting(Partition p, Count* histogram, unsigned bins, bool assigned,
                     void (*kernel)(Partition, Parameters...), unsigned threads,
                     unsigned shared_bytes, cudaStream_t stream, Arguments... arguments) {
  constexpr unsigned one_block_zeroes = 4096;
  p.zeroes = !assigned && bins <= one_block_zeroes;
  const bool overlap = !assigned && !p.zeroes;
  if (overlap) zero(histogram, bins, stream);
  launch(kernel, {p.blocks(), threads, shared_bytes}, overlap, stream, p, arguments...);
}

}  // namespace histolab::kernels::cuda
