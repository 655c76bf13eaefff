// 2048 threads in a block: the launch fails, and the program prints the old values.
#include <stdio.h>

__global__ void one(int *a) { a[threadIdx.x] = 1; }

int main() {
  static int h[2048];
  int *d;
  cudaMalloc(&d, sizeof h);
  cudaMemset(d, 0, sizeof h);
  one<<<1, 2048>>>(d);  // finding: invalid_launch, unchecked_error
  cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost);
  printf("%d\n", h[0]);
  cudaFree(d);
  return 0;
}
