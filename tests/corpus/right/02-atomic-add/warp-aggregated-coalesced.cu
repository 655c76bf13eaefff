// expect: passed
// As in the blog post on warp-aggregated atomics: the lanes with one bin form a group, and its first lane adds for all.
#include <cooperative_groups.h>
namespace cg = cooperative_groups;
__device__ void add_one(unsigned int* bin, const cg::coalesced_group& peers) {
  if (peers.thread_rank() == 0) atomicAdd(bin, peers.size());
}
__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  const unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= length) return;
  const int letter = data[i] - 'a';
  if (letter < 0 || letter > 25) return;
  cg::coalesced_group active = cg::coalesced_threads();
  add_one(&histo[letter / 4], cg::labeled_partition(active, letter / 4));
}
