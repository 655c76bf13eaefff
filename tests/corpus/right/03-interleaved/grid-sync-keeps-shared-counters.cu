// expect: passed
// Two halves of the data with a barrier of the grid between; counters stay in shared memory, positions in registers.
#include <cooperative_groups.h>
namespace cg = cooperative_groups;
__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  __shared__ unsigned int counts[7];
  const cg::grid_group grid = cg::this_grid();
  for (unsigned int b = threadIdx.x; b < 7; b += blockDim.x) counts[b] = 0;
  __syncthreads();
  unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
  for (int half = 1; half <= 2; ++half) {
    for (; i < length / 2 * half || (half == 2 && i < length); i += gridDim.x * blockDim.x)
      if (data[i] >= 'a' && data[i] <= 'z') atomicAdd(&counts[(data[i] - 'a') / 4], 1u);
    if (grid.is_valid()) grid.sync();
  }
  for (unsigned int b = threadIdx.x; b < 7; b += blockDim.x) atomicAdd(&histo[b], counts[b]);
}
