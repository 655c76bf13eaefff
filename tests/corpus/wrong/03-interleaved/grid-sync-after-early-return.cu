// expect: failed barrier_divergence - 12 more
#include <cooperative_groups.h>
namespace cg = cooperative_groups;
__device__ unsigned int scratch[7];
__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  cg::grid_group grid = cg::this_grid();
  const unsigned int first = grid.thread_rank();
  if (first >= length) return;
  for (unsigned int i = first; i < length; i += grid.size())
    if (data[i] >= 'a' && data[i] <= 'z') atomicAdd(&scratch[(data[i] - 'a') / 4], 1u);

  grid.sync();
  if (first == 0)
    for (int b = 0; b < 7; ++b) histo[b] += scratch[b], scratch[b] = 0;
}
