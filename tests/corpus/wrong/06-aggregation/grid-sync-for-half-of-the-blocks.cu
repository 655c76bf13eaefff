// expect: failed barrier_divergence - 24
// Blocks that have nothing to add leave the tree: the others wait for them.
#include <cooperative_groups.h>
__device__ unsigned int of_block[2048 * 7];
__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  __shared__ unsigned int mine[7];
  for (unsigned int b = threadIdx.x; b < 7; b += blockDim.x) mine[b] = 0;
  __syncthreads();
  unsigned int run = 0;
  int bin = -1;
  for (unsigned int i = blockIdx.x * blockDim.x + threadIdx.x; i < length; i += gridDim.x * blockDim.x) {
    const int letter = data[i] - 'a';
    const int b = letter < 0 || letter > 25 ? -1 : letter / 4;
    if (b != bin && bin >= 0) atomicAdd(&mine[bin], run);
    run = b == bin ? run + 1 : 1;
    bin = b;
  }
  if (bin >= 0) atomicAdd(&mine[bin], run);
  __syncthreads();
  unsigned int* const own = of_block + 7 * blockIdx.x;
  for (unsigned int b = threadIdx.x; b < 7; b += blockDim.x) own[b] = mine[b];
  for (unsigned int distance = 1; distance < gridDim.x; distance *= 2) {
    if (blockIdx.x % (2 * distance) != 0) return;
    cooperative_groups::this_grid().sync();
    if (blockIdx.x + distance < gridDim.x)
      for (unsigned int b = threadIdx.x; b < 7; b += blockDim.x) own[b] += own[7 * distance + b];
  }
  for (unsigned int b = threadIdx.x; b < 7; b += blockDim.x) atomicAdd(&histo[b], own[b]);
}
