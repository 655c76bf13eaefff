// expect: passed
#include <cooperative_groups.h>
using namespace cooperative_groups;

__device__ unsigned int scratch[7];

static __device__ void clear(const grid_group& g) {
  for (unsigned int k = g.thread_rank(); k < 7; k += g.num_threads()) scratch[k] = 0;
  sync(g);
}

__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  auto g = this_grid();
  clear(g);
  const unsigned int step = gridDim.x * blockDim.x;
  unsigned int at = blockIdx.x * blockDim.x + threadIdx.x;
  while (at < length) {
    const char c = data[at];
    at += step;
    if ('a' <= c && c <= 'z') atomicAdd(scratch + (c - 'a') / 4, 1u);
  }
  sync(g);
  if (g.block_rank() == g.num_blocks() - 1)
    for (unsigned int k = threadIdx.x; k < 7; k += blockDim.x) histo[k] = histo[k] + scratch[k];
}
