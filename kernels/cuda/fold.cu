// Computes counts of bins from counts of values. A bin is a range of values; a group of lanes adds
// it up.
#include "kernels/cuda/binning.cuh"
#include "kernels/cuda/wide.h"
#include "kernels/gpu/runtime.h"

namespace histolab::kernels::cuda {
namespace {

constexpr unsigned threads = 256;

template <unsigned lanes>
__global__ void fold_bins(const Count* counts, unsigned values, Bins bins, Count* histogram) {
  __shared__ Count sums[threads / 32];
  const unsigned bin = (blockIdx.x * threads + threadIdx.x) / lanes;
  Count sum = 0;
  if (bin < bins.count) {
    const std::uint64_t end = min(static_cast<std::uint64_t>(values), begin_of(bins, bin + 1ull));
    for (std::uint64_t value = begin_of(bins, bin) + threadIdx.x % lanes; value < end;
         value += lanes)
      sum += counts[value];
  }
  for (unsigned step = min(lanes, 32u) / 2; step > 0; step /= 2)
    sum += __shfl_xor_sync(0xffffffffu, sum, step);
  if constexpr (lanes > 32) {
    if (threadIdx.x % 32 == 0) sums[threadIdx.x / 32] = sum;
    __syncthreads();
    if (threadIdx.x == 0)
      for (unsigned warp = 1; warp < threads / 32; ++warp) sum += sums[warp];
  }
  if (bin < bins.count && threadIdx.x % lanes == 0) histogram[bin] = sum;
}

}  // namespace

void fold(const Count* counts, unsigned values, const Bins& bins, Count* histogram,
          cudaStream_t stream) {
  const auto blocks = [&](unsigned lanes) { return (bins.count * lanes + threads - 1) / threads; };
  if (bins.count <= 256)
    fold_bins<threads><<<blocks(threads), threads, 0, stream>>>(counts, values, bins, histogram);
  else if (bins.count <= 8192)
    fold_bins<32><<<blocks(32), threads, 0, stream>>>(counts, values, bins, histogram);
  else
    fold_bins<1><<<blocks(1), threads, 0, stream>>>(counts, values, bins, histogram);
  gpu::check(cudaGetLastError(), "launch a kernel");
}

}  // namespace histolab::kernels::cuda
