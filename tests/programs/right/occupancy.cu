// The launch shape comes from the occupancy functions.
#include <cstdio>

__global__ void square(int* data, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) data[i] *= data[i];
}

int main() {
  int smallest_grid, block, active;
  cudaOccupancyMaxPotentialBlockSize(&smallest_grid, &block, square, 0, 0);
  cudaOccupancyMaxActiveBlocksPerMultiprocessor(&active, square, block, 0);
  cudaFuncAttributes attributes;
  cudaFuncGetAttributes(&attributes, square);
  if (block <= 0 || block > attributes.maxThreadsPerBlock || active <= 0) return 1;
  const int n = 3000;
  int *h = new int[n], *d;
  for (int i = 0; i < n; ++i) h[i] = i % 100;
  cudaMalloc(&d, n * sizeof(int));
  cudaMemcpy(d, h, n * sizeof(int), cudaMemcpyHostToDevice);
  square<<<(n + block - 1) / block, block>>>(d, n);
  cudaMemcpy(h, d, n * sizeof(int), cudaMemcpyDeviceToHost);
  int wrong = 0;
  for (int i = 0; i < n; ++i) wrong += h[i] != (i % 100) * (i % 100);
  std::printf("blocks of %d threads, %d at once: %d wrong\n", block, active, wrong);
  delete[] h;
  cudaFree(d);
  return wrong;
}
