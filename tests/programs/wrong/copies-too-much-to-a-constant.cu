// The constant array has 5 weights, the host's 7.
#include <cstdio>

__constant__ float weights[5];

__global__ void convolve(const float* in, float* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < 2 || i + 2 >= n) return;
  float sum = 0;
  for (int k = -2; k <= 2; ++k) sum += weights[k + 2] * in[i + k];
  out[i] = sum;
}

int main() {
  const float host[7] = {0, 1, 2, 3, 2, 1, 0};
  cudaError_t e = cudaMemcpyToSymbol(weights, host, sizeof host);  // finding: invalid_copy
  if (e != cudaSuccess) {
    std::printf("weights: %s\n", cudaGetErrorString(e));
    return 1;
  }
  float *in, *out;
  if (cudaMalloc(&in, 400) || cudaMalloc(&out, 400) || cudaMemset(in, 0, 400)) return 1;
  convolve<<<1, 100>>>(in, out, 100);
  return cudaFree(in) || cudaFree(out);
}
