// expect: passed
#include <cooperative_groups.h>
#include <cooperative_groups/scan.h>
namespace cg = cooperative_groups;

__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  const auto here = cg::coalesced_threads();  // a block may have fewer threads than a warp
  const unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
  const int letter = i < length ? data[i] - 'a' : -1, bin = letter >= 0 && letter < 26 ? letter / 4 : 7;
  for (int b = 0; b < 7; ++b) {
    const unsigned int sum = cg::inclusive_scan(here, bin == b ? 1u : 0u);
    if (here.thread_rank() == here.size() - 1 && sum > 0) atomicAdd(&histo[b], sum);
  }
}
