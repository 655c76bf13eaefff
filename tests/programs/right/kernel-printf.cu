// Kernels print, and the host waits before it prints, too.
// lines in any order on a GPU: each block prints one
#include <stdio.h>

__global__ void hello(const char *name) {
  if (threadIdx.x == 0) printf("block %d of %s: %5.2f %s\n", blockIdx.x, name, 1.5, "ok");
}

int main(void) {
  char *name;
  cudaMallocManaged(&name, 16);
  snprintf(name, 16, "the grid");
  hello<<<3, 32>>>(name);
  cudaDeviceSynchronize();
  printf("host\n");
  cudaFree(name);
  return 0;
}
