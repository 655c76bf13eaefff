// expect: passed
// No memory access tells the rounds of the loop apart, and still only lanes of one round are together at the call.
#include <cooperative_groups.h>
namespace cg = cooperative_groups;
__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  const unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
  const unsigned int letter = i < length ? data[i] - 'a' : 99u;
  for (unsigned int b = 0; b < 7; ++b)
    if (letter < 26u && letter / 4 == b) {
      const cg::coalesced_group together = cg::coalesced_threads();
      if (together.thread_rank() == 0) atomicAdd(&histo[b], together.size());
    }
}
