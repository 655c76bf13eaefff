// expect: failed data_race histo 15 first
// Cooperative groups. All threads zero the counters, and each block commits by a plain +=.
#include <cooperative_groups.h>
namespace cg = cooperative_groups;
struct Bins { unsigned int of[7]; };
__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  __shared__ Bins bins;
  cg::thread_block block = cg::this_thread_block();
  bins = Bins{};
  block.sync();
  const unsigned int i = block.group_index().x * block.size() + block.thread_rank();
  if (i < length && data[i] >= 'a' && data[i] <= 'z') atomicAdd(&bins.of[(data[i] - 'a') / 4], 1u);
  block.sync();
  if (block.thread_rank() != 0) return;
  for (int b = 0; b < 7; ++b) histo[b] += bins.of[b];
}
