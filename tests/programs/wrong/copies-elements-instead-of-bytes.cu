// The size of a copy is a number of elements, so most of the input is never written.
#include <stdio.h>
#include <stdlib.h>

__global__ void add(const int *a, const int *b, int *c, int n) {
  int tid = blockIdx.x * blockDim.x + threadIdx.x;
  if (tid < n) c[tid] = a[tid] + b[tid];  // finding: uninitialized_read
}

int main() {
  int n = 512;
  int *a = (int *)calloc(n, sizeof(int));
  int *b = (int *)calloc(n, sizeof(int));
  int *c = (int *)calloc(n, sizeof(int));
  int *dev_a, *dev_b, *dev_c;
  cudaMalloc((void **)&dev_a, n * sizeof(int));
  cudaMalloc((void **)&dev_b, n * sizeof(int));
  cudaMalloc((void **)&dev_c, n * sizeof(int));
  cudaMemcpy(dev_a, a, n * sizeof(int), cudaMemcpyHostToDevice);
  cudaMemcpy(dev_b, b, n, cudaMemcpyHostToDevice);
  add<<<(n + 127) / 128, 128>>>(dev_a, dev_b, dev_c, n);
  cudaMemcpy(c, dev_c, n * sizeof(int), cudaMemcpyDeviceToHost);
  printf("c[0] = %d\n", c[0]);
  cudaFree(dev_a);
  cudaFree(dev_b);
  cudaFree(dev_c);
  free(a);
  free(b);
  free(c);
  return 0;
}
