// Sums by tiles of a block, with shuffles of the group.
#include <cooperative_groups.h>
#include <stdio.h>
namespace cg = cooperative_groups;

template <class Group>
__device__ int sum_of(Group g, int value) {
  for (int i = g.size() / 2; i > 0; i /= 2) value += g.shfl_down(value, i);
  return value;
}

__global__ void sums(const int *in, int *out) {
  cg::thread_block block = cg::this_thread_block();
  auto tile = cg::tiled_partition<16>(block);
  int sum = sum_of(tile, in[blockIdx.x * block.size() + block.thread_rank()]);
  if (tile.thread_rank() == 0) atomicAdd(out, sum);
}

int main() {
  int host[512], *in, *out, sum = 0, expected = 0;
  for (int i = 0; i < 512; i++) expected += host[i] = i % 9;
  cudaMalloc(&in, sizeof host);
  cudaMalloc(&out, sizeof(int));
  cudaMemset(out, 0, sizeof(int));
  cudaMemcpy(in, host, sizeof host, cudaMemcpyHostToDevice);
  sums<<<4, 128>>>(in, out);
  cudaMemcpy(&sum, out, sizeof(int), cudaMemcpyDeviceToHost);
  printf("%d of %d\n", sum, expected);
  cudaFree(in);
  cudaFree(out);
  return sum != expected;
}
