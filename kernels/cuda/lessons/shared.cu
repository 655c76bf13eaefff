// Kernels with counts in shared memory or in registers, without a factor.
#include "kernels/cuda/lessons/launch.cuh"
#include "kernels/cuda/lessons/private_copy.cuh"

namespace histolab::kernels::cuda::lessons {
namespace {

// A counter can only be in a register if its index is known at compile time. So each element is
// compared with every bin.
template <class Element>
__global__ void registers(const Element* data, unsigned length, Letters binning, unsigned* histo) {
  extern __shared__ unsigned copy[];
  zero(copy, binning);
  unsigned counts[Letters::bins] = {};
  GridStride::each(length, [&](unsigned i) {
    binning(data[i], [&](unsigned bin) {
#pragma unroll
      for (unsigned b = 0; b < Letters::bins; ++b) counts[b] += bin == b;
    });
  });
#pragma unroll
  for (unsigned b = 0; b < Letters::bins; ++b) {
    unsigned sum = counts[b];
    for (unsigned distance = 16; distance > 0; distance /= 2)
      sum += __shfl_xor_sync(~0u, sum, distance);
    if (threadIdx.x % 32 == 0) atomicAdd(&copy[b], sum);
  }
  commit(copy, binning, histo);
}

}  // namespace

bool launch_shared(const Choice& choice, const Work& work) {
  bool found = true;
  with_types(work, [&](const auto* data, auto binning) {
    using E = std::remove_cvref_t<decltype(*data)>;
    using B = decltype(binning);
    const auto run = [&](auto* kernel, unsigned blocks) {
      start(work, kernel, blocks, work.bins * sizeof(unsigned), data, work.length, binning,
            work.histo);
    };
    const unsigned few = work.persistent_blocks;
    if (choice.kernel == "shared") return run(shared_copy<PerElement, E, B>, blocks_for(work, 1));
    if (choice.kernel == "shared-block") return run(shared_copy<BlockPartition, E, B>, few);
    if (choice.kernel == "shared-interleaved") return run(shared_copy<GridStride, E, B>, few);
    if (choice.kernel == "shared-strided")
      return run(shared_copy<GridStride, E, B>, blocks_for(work, choice.factor));
    if (choice.kernel == "shared-block-aggregated")
      return run(shared_copy_aggregated<BlockPartition, E, B>, few);
    if (choice.kernel == "shared-interleaved-aggregated")
      return run(shared_copy_aggregated<GridStride, E, B>, few);
    if constexpr (std::is_same_v<B, Letters>)
      if (choice.kernel == "registers") return run(registers<E>, few);
    found = false;
  });
  return found;
}

}  // namespace histolab::kernels::cuda::lessons
