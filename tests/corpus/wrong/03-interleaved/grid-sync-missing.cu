// expect: failed data_race partial 17|20
// Each block leaves its counters in global memory, and the last block does not wait for them.
// (The barrier of the grid comes too early.)
#include <cooperative_groups.h>
namespace cg = cooperative_groups;
__device__ unsigned int partial[4224 * 7];
__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  __shared__ unsigned int counts[7];
  for (unsigned int b = threadIdx.x; b < 7; b += blockDim.x) counts[b] = 0;
  cg::this_grid().sync();
  for (unsigned int i = blockIdx.x * blockDim.x + threadIdx.x; i < length; i += gridDim.x * blockDim.x) {
    const int letter = data[i] - 'a';
    if (letter >= 0 && letter < 26) atomicAdd(&counts[letter / 4], 1u);
  }
  __syncthreads();
  for (unsigned int b = threadIdx.x; b < 7; b += blockDim.x)
    partial[7 * blockIdx.x + b] = counts[b];
  if (blockIdx.x != gridDim.x - 1) return;
  for (unsigned int b = threadIdx.x; b < 7; b += blockDim.x)
    for (unsigned int other = 0; other < gridDim.x; ++other) histo[b] += partial[7 * other + b];
}
