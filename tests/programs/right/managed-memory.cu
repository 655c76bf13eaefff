// saxpy with managed memory, in two launches.
#include <cmath>
#include <iostream>

__global__ void saxpy(int n, float a, const float *x, float *y) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x)
    y[i] = a * x[i] + y[i];
}

int main() {
  const int n = 5000;
  float *x, *y;
  cudaMallocManaged(&x, n * sizeof(float));
  cudaMallocManaged(&y, n * sizeof(float));
  for (int i = 0; i < n; i++) {
    x[i] = 1;
    y[i] = i;
  }
  saxpy<<<8, 128>>>(n, 2, x, y);
  cudaDeviceSynchronize();
  for (int i = 0; i < n; i++) x[i] = y[i] / 2;
  saxpy<<<8, 128>>>(n, -2, x, y);
  cudaDeviceSynchronize();
  float worst = 0;
  for (int i = 0; i < n; i++) worst = std::fmax(worst, std::fabs(y[i]));
  std::cout << "largest value: " << worst << std::endl;
  cudaFree(x);
  cudaFree(y);
  return worst == 0 ? 0 : 1;
}
