// The second step of a simulation gets a buffer that the first one's clean-up has freed.
#include <cstdio>

__global__ void step(const float* in, float* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = 0.5f * in[i];  // finding: use_after_free
}

int main() {
  const int n = 256;
  float *a, *b;
  if (cudaMalloc(&a, n * sizeof(float)) || cudaMalloc(&b, n * sizeof(float))) return 1;
  if (cudaMemset(a, 0, n * sizeof(float))) return 1;
  step<<<1, n>>>(a, b, n);
  if (cudaFree(a)) return 1;
  step<<<1, n>>>(b, a, n);
  if (cudaError_t e = cudaDeviceSynchronize()) {
    std::printf("%s\n", cudaGetErrorString(e));
    return 1;
  }
  if (cudaFree(b)) return 1;
}
