// grid.sync() needs a cooperative launch.
#include <cooperative_groups.h>
#include <cstdio>
namespace cg = cooperative_groups;

__global__ void two_steps(int* a, int* b) {
  cg::grid_group grid = cg::this_grid();
  a[grid.thread_rank()] = 1;
  grid.sync();
  b[grid.thread_rank()] = a[grid.size() - 1 - grid.thread_rank()];
}

int main() {
  int *a, *b;
  if (cudaMalloc(&a, 256) || cudaMalloc(&b, 256)) return 1;
  two_steps<<<2, 32>>>(a, b);  // finding: invalid_launch
  if (cudaDeviceSynchronize() != cudaSuccess) return 1;
  return cudaFree(a) || cudaFree(b);
}
