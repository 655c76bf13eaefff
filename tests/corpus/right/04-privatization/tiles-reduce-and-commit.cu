// expect: passed
// Four neighbours add up what they counted; the block's copy gets one update from them.
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
namespace cg = cooperative_groups;
__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  __shared__ unsigned int s[7];
  cg::thread_block block = cg::this_thread_block();
  for (unsigned int b = block.thread_rank(); b < 7; b += block.size()) s[b] = 0;
  block.sync();
  const unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
  const int letter = i < length ? data[i] - 'a' : -1;
  if (block.size() % 4 == 0) {
    auto four = cg::tiled_partition<4>(block);
    for (int b = 0; b < 7; ++b) {
      const unsigned int n = cg::reduce(four, (unsigned int)(letter >= 0 && letter < 26 && letter / 4 == b), cg::plus<unsigned int>());
      if (four.thread_rank() == 0 && n != 0) atomicAdd(&s[b], n);
    }
  } else if (letter >= 0 && letter < 26) {
    atomicAdd(&s[letter / 4], 1u);
  }
  cg::sync(block);
  for (unsigned int b = block.thread_rank(); b < 7; b += block.size()) atomicAdd(&histo[b], s[b]);
}
