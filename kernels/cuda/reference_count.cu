#include "kernels/cuda/reference_count.h"

#include "kernels/cuda/bin_by_definition.h"
#include "kernels/gpu/runtime.h"

namespace histolab::kernels::cuda {
namespace {

// The lanes of a warp with the same bin make one addition. Otherwise constant data
// would take minutes.
template <class Sample>
__global__ void count(const Sample* samples, std::size_t length, Bins bins, Count* histogram) {
  const std::size_t stride = std::size_t{gridDim.x} * blockDim.x;
  for (std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x; i < length;
       i += stride) {
    const unsigned bin = bin_by_definition(bins, samples[i]);
    const unsigned same = __match_any_sync(__activemask(), bin);
    if (bin != none && (same & ((1u << threadIdx.x % 32) - 1)) == 0)
      atomicAdd(&histogram[bin], Count(__popc(same)));
  }
}

}  // namespace

void count_by_definition(const Problem& problem, cudaStream_t stream) {
  gpu::check(cudaMemsetAsync(problem.histogram, 0, problem.bins.count * sizeof(Count), stream),
             "clear a histogram");
  constexpr unsigned blocks = 2048, threads = 256;
  switch (problem.type) {
    case SampleType::u8:
      count<<<blocks, threads, 0, stream>>>(static_cast<const std::uint8_t*>(problem.samples),
                                            problem.length, problem.bins, problem.histogram);
      break;
    case SampleType::u16:
      count<<<blocks, threads, 0, stream>>>(static_cast<const std::uint16_t*>(problem.samples),
                                            problem.length, problem.bins, problem.histogram);
      break;
    case SampleType::u32:
      count<<<blocks, threads, 0, stream>>>(static_cast<const std::uint32_t*>(problem.samples),
                                            problem.length, problem.bins, problem.histogram);
      break;
  }
  gpu::check(cudaGetLastError(), "launch a kernel");
}

}  // namespace histolab::kernels::cuda
