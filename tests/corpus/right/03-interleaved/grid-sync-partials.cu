// expect: passed
// Each block leaves its counters in global memory; behind the grid's barrier the first block adds them up.
#include <cooperative_groups.h>
namespace cg = cooperative_groups;
__device__ unsigned int partial[4224][7];
__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  cg::grid_group grid = cg::this_grid();
  cg::thread_block block = cg::this_thread_block();
  __shared__ unsigned int counts[7];
  for (unsigned int b = block.thread_rank(); b < 7; b += block.size()) counts[b] = 0;
  block.sync();
  for (unsigned long long i = grid.thread_rank(); i < length; i += grid.size()) {
    const int letter = data[i] - 'a';
    if (letter >= 0 && letter < 26) atomicAdd(&counts[letter / 4], 1u);
  }
  block.sync();
  for (unsigned int b = block.thread_rank(); b < 7; b += block.size()) partial[blockIdx.x][b] = counts[b];
  grid.sync();
  if (blockIdx.x != 0) return;
  for (unsigned int b = block.thread_rank(); b < 7; b += block.size()) {
    unsigned int sum = 0;
    for (unsigned int other = 0; other < gridDim.x; ++other) sum += partial[other][b];
    histo[b] += sum;
  }
}
