// expect: compile_error - - 8
#include <cooperative_groups.h>
namespace cg = cooperative_groups;
__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  cg::grid_group grid = cg::this_grid();
  const unsigned long long i = grid.thread_rank();
  if (i < 7) histo[i] = 0;
  grid.barrier_wait(grid.barrier_arrive());
  if (i < length && data[i] >= 'a' && data[i] <= 'z') atomicAdd(&histo[(data[i] - 'a') / 4], 1u);
}
