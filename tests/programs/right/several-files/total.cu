// A kernel of its own file.
#include "device_code.cuh"
#include "image.h"

__global__ void add(const int* data, int n, unsigned long long* sum) {
  int i = index_of_thread();
  if (i < n) atomicAdd(sum, data[i]);
}

int total(const Image& image) {
  unsigned long long *d_sum, sum = 0;
  cudaMalloc(&d_sum, sizeof sum);
  cudaMemset(d_sum, 0, sizeof sum);
  add<<<(image.n + 127) / 128, 128>>>(image.data, image.n, d_sum);
  cudaMemcpy(&sum, d_sum, sizeof sum, cudaMemcpyDeviceToHost);
  cudaFree(d_sum);
  return static_cast<int>(sum);
}
