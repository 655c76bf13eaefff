// The host reads managed memory before the kernel is complete.
#include <cmath>
#include <iostream>

__global__ void add(int n, float *x, float *y) {
  int index = blockIdx.x * blockDim.x + threadIdx.x;
  int stride = blockDim.x * gridDim.x;
  for (int i = index; i < n; i += stride) y[i] = x[i] + y[i];
}

int main(void) {
  int N = 1 << 12;
  float *x, *y;
  cudaMallocManaged(&x, N * sizeof(float));
  cudaMallocManaged(&y, N * sizeof(float));
  for (int i = 0; i < N; i++) {
    x[i] = 1.0f;
    y[i] = 2.0f;
  }
  add<<<4, 256>>>(N, x, y);
  float maxError = 0.0f;
  for (int i = 0; i < N; i++)
    maxError = std::fmax(maxError, std::fabs(y[i] - 3.0f));  // finding: missing_synchronization
  std::cout << "Max error: " << maxError << std::endl;
  cudaDeviceSynchronize();
  cudaFree(x);
  cudaFree(y);
  return 0;
}
