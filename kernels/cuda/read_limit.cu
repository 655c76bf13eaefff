// Reading and nothing else: 16-byte loads, XOR, one contiguous range for each block.
#include "kernels/cuda/launch.cuh"
#include "kernels/cuda/read_limit.h"
#include "kernels/cuda/sweep.cuh"

namespace histolab::kernels::cuda {
namespace {

constexpr unsigned threads = 512, blocks_per_multiprocessor = 2, loads = 8;

__global__ __launch_bounds__(threads, blocks_per_multiprocessor) void read(Partition p, std::uint32_t* result) {
  unsigned all = 0;
  const auto fold = [&](const uint4(&v)[loads], auto) {
#pragma unroll
    for (unsigned i = 0; i < loads; ++i) all ^= v[i].x ^ v[i].y ^ v[i].z ^ v[i].w;
  };
  sweep<threads, loads, Schedule::plain, std::uint32_t>(p, [] {}, fold, [&](std::uint32_t word) { all ^= word; });
  for (unsigned step = 16; step > 0; step /= 2) all ^= __shfl_xor_sync(0xffffffffu, all, step);
  if (threadIdx.x % 32 == 0) atomicXor(result, all);
}

}  // namespace

void read_all(const void* data, std::size_t bytes, std::uint32_t* result, cudaStream_t stream) {
  const unsigned blocks = blocks_for(bytes, threads * loads * 16, blocks_per_multiprocessor);
  gpu::check(cudaMemsetAsync(result, 0, sizeof *result, stream), "clear a result");
  read<<<blocks, threads, 0, stream>>>(partition(data, bytes, 1, blocks), result);
  gpu::check(cudaGetLastError(), "launch a kernel");
}

}  // namespace histolab::kernels::cuda
