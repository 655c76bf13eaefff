// sizeof(double) is used for the size of an array of float.
#include <cstdio>
#include <vector>

__global__ void ramp(float* out, int n) {
  for (int i = threadIdx.x; i < n; i += blockDim.x) out[i] = 0.5f * i;
}

int main() {
  const int n = 200;
  float* d = nullptr;
  if (cudaMalloc(&d, n * sizeof(float)) != cudaSuccess) return 1;
  ramp<<<1, 64>>>(d, n);
  std::vector<double> h(n);
  // finding below: invalid_copy
  cudaError_t status = cudaMemcpy(h.data(), d, n * sizeof(double), cudaMemcpyDeviceToHost);
  if (status != cudaSuccess) {
    std::printf("copy: %s\n", cudaGetErrorString(status));
    return 1;
  }
  std::printf("%g\n", h[n - 1]);
  return cudaFree(d) == cudaSuccess ? 0 : 1;
}
