// A cooperative launch whose blocks wait for each other.
#include <cooperative_groups.h>
#include <cstdio>
namespace cg = cooperative_groups;

__global__ void rotate(int *data, int *next, int n, int rounds) {
  cg::grid_group grid = cg::this_grid();
  for (int round = 0; round < rounds; ++round) {
    for (int i = grid.thread_rank(); i < n; i += grid.size()) next[(i + 1) % n] = data[i];
    grid.sync();
    int *swapped = data;
    data = next;
    next = swapped;
  }
}

int main() {
  int device = 0, cooperative = 0, n = 500, rounds = 6;
  cudaDeviceGetAttribute(&cooperative, cudaDevAttrCooperativeLaunch, device);
  if (!cooperative) return 1;
  int host[500], *a, *b;
  for (int i = 0; i < n; ++i) host[i] = i;
  cudaMalloc(&a, sizeof host);
  cudaMalloc(&b, sizeof host);
  cudaMemcpy(a, host, sizeof host, cudaMemcpyHostToDevice);
  void *arguments[] = {&a, &b, &n, &rounds};
  cudaLaunchCooperativeKernel((void *)rotate, dim3(4), dim3(64), arguments, 0, 0);
  cudaMemcpy(host, a, sizeof host, cudaMemcpyDeviceToHost);
  std::printf("%d %d\n", host[0], host[6]);
  cudaFree(a);
  cudaFree(b);
  return host[0] == 494 && host[6] == 0 ? 0 : 1;
}
