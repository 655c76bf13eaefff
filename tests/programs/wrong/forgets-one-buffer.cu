// Three buffers are allocated, two are freed.
#include <stdio.h>

__global__ void axpy(float a, const float *x, const float *y, float *z) {
  z[threadIdx.x] = a * x[threadIdx.x] + y[threadIdx.x];
}

int main() {
  float x[64], y[64], z[64];
  for (int i = 0; i < 64; i++) x[i] = y[i] = i;
  float *d_x, *d_y, *d_z;
  cudaMalloc(&d_x, sizeof x);
  cudaMalloc(&d_y, sizeof y);
  cudaMalloc(&d_z, sizeof z);  // finding: leak
  cudaMemcpy(d_x, x, sizeof x, cudaMemcpyHostToDevice);
  cudaMemcpy(d_y, y, sizeof y, cudaMemcpyHostToDevice);
  axpy<<<1, 64>>>(2.f, d_x, d_y, d_z);
  cudaMemcpy(z, d_z, sizeof z, cudaMemcpyDeviceToHost);
  printf("%g\n", z[63]);
  cudaFree(d_x);
  cudaFree(d_y);
  return 0;
}
