// expect: passed
// The blocks' counters are added pairwise: one barrier of the grid for each level of the tree.
#include <cooperative_groups.h>
__device__ unsigned int of_block[2048 * 7];
__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  const cooperative_groups::grid_group everyone = cooperative_groups::this_grid();
  __shared__ unsigned int mine[7];
  if (threadIdx.x == 0)
    for (int b = 0; b < 7; ++b) mine[b] = 0;
  __syncthreads();
  unsigned int run = 0;
  int bin = -1;
  for (unsigned int i = blockIdx.x * blockDim.x + threadIdx.x; i < length; i += gridDim.x * blockDim.x) {
    const int letter = data[i] - 'a';
    const int b = letter < 0 || letter > 25 ? -1 : letter >> 2;
    if (b != bin) {
      if (bin >= 0) atomicAdd(&mine[bin], run);
      bin = b;
      run = 0;
    }
    ++run;
  }
  if (bin >= 0) atomicAdd(&mine[bin], run);
  __syncthreads();
  unsigned int* const own = of_block + 7 * blockIdx.x;
  for (unsigned int b = threadIdx.x; b < 7; b += blockDim.x) own[b] = mine[b];
  for (unsigned int distance = 1; distance < gridDim.x; distance *= 2) {
    everyone.sync();
    if (blockIdx.x % (2 * distance) == 0 && blockIdx.x + distance < gridDim.x)
      for (unsigned int b = threadIdx.x; b < 7; b += blockDim.x) own[b] += own[7 * distance + b];
  }
  if (blockIdx.x == 0)
    for (unsigned int b = threadIdx.x; b < 7; b += blockDim.x) atomicAdd(&histo[b], own[b]);
}
