// Counts with __activemask and coalesced_threads in a loop: each round has other lanes.
#include <cooperative_groups.h>
#include <cstdio>
namespace cg = cooperative_groups;

__device__ void count(unsigned* counts, unsigned bin) {
  const unsigned together = __activemask();
  if (threadIdx.x % 32 == __ffs(together) - 1) atomicAdd(&counts[bin], __popc(together));
}

__global__ void by_mask(unsigned* counts) {
  const unsigned own = threadIdx.x % 7;
  for (unsigned bin = 0; bin < 7; ++bin) {
    if (bin != own) continue;
    count(counts, bin);
  }
}

__global__ void by_group(unsigned* counts) {
  for (unsigned bin = 0; bin < 7; ++bin) {
    if (bin != threadIdx.x % 7) continue;
    cg::coalesced_group group = cg::coalesced_threads();
    if (group.thread_rank() == 0) atomicAdd(&counts[bin], group.size());
  }
}

int main() {
  unsigned host[7], *device;
  cudaMalloc(&device, sizeof host);
  cudaMemset(device, 0, sizeof host);
  by_mask<<<1, 70>>>(device);
  by_group<<<1, 70>>>(device);
  cudaMemcpy(host, device, sizeof host, cudaMemcpyDeviceToHost);
  cudaFree(device);
  int wrong = 0;
  for (unsigned each : host) wrong += each != 20;
  std::printf("%d wrong\n", wrong);
  return wrong;
}
