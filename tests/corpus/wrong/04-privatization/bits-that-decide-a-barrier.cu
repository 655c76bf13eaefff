// expect: failed data_race flags 15/17 first more
// A bit per round says whether the block flushes; the flags are cleared before all have tested them. Cooperative groups.
#include <cooperative_groups.h>
namespace cg = cooperative_groups;
__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  __shared__ unsigned int mine[7], flags;
  const cg::thread_block block = cg::this_thread_block();
  if (block.thread_rank() < 7) mine[block.thread_rank()] = 0;
  for (unsigned int b = block.thread_rank() + block.size(); b < 7; b += block.size()) mine[b] = 0;
  if (block.thread_rank() == 0) flags = 5;
  block.sync();
  const unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < length && data[i] >= 'a' && data[i] <= 'z') atomicAdd(&mine[(data[i] - 'a') / 4], 1u);
  for (unsigned int r = 0; r < 3; ++r) {
    if (flags >> r & 1) block.sync();
    if (block.thread_rank() == block.size() - 1)
      flags = r;
  }
  block.sync();
  for (unsigned int b = threadIdx.x; b < 7; b += blockDim.x) atomicAdd(&histo[b], mine[b]);
}
