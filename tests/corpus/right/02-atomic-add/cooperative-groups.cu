// expect: passed
#include <cooperative_groups.h>
namespace cg = cooperative_groups;
__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  cg::grid_group grid = cg::this_grid();
  cg::thread_block block = cg::this_thread_block();
  const unsigned long long i = grid.thread_rank();
  block.sync();  // not needed: the threads share nothing
  if (i < length && data[i] >= 'a' && data[i] <= 'z') atomicAdd(&histo[(data[i] - 'a') / 4], 1u);
}
