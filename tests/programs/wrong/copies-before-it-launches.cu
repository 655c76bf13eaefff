// The result is copied before the kernel that computes it runs.
#include <stdio.h>

__global__ void answer(int *a) { *a = 42; }

int main() {
  int h = 0, *d;
  cudaMalloc(&d, sizeof(int));
  cudaMemcpy(&h, d, sizeof(int), cudaMemcpyDeviceToHost);  // finding: uninitialized_copy
  answer<<<1, 1>>>(d);
  cudaDeviceSynchronize();
  printf("%d\n", h);
  cudaFree(d);
  return 0;
}
