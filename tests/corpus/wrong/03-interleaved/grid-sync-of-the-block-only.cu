// expect: failed data_race scratch 9|14
// The first phase clears for all blocks, but only the threads of one block wait for it.
#include <cooperative_groups.h>
using namespace cooperative_groups;
__device__ unsigned int scratch[7];
__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  const grid_group all = this_grid();
  for (unsigned int k = all.thread_rank(); k < 7; k += all.size())
    scratch[k] = 0;
  sync(this_thread_block());
  for (unsigned int i = all.thread_rank(); i < length; i += all.size()) {
    const char c = data[i];
    if (c >= 'a' && c <= 'z')
      atomicAdd(&scratch[(c - 'a') / 4], 1u);
  }
  sync(all);
  if (all.thread_rank() < 7) histo[all.thread_rank()] += scratch[all.thread_rank()];
}
