// The stream is destroyed before the last copy.
#include <cstdio>

__global__ void fill(int* out) { out[threadIdx.x] = 1; }

int main() {
  cudaStream_t s;
  int *d, h[32];
  if (cudaStreamCreate(&s) || cudaMalloc(&d, sizeof h)) return 1;
  fill<<<1, 32, 0, s>>>(d);
  if (cudaStreamDestroy(s)) return 1;
  // finding below: invalid_argument
  if (cudaMemcpyAsync(h, d, sizeof h, cudaMemcpyDeviceToHost, s)) return 1;
  if (cudaDeviceSynchronize()) return 1;
  std::printf("%d\n", h[0]);
  return cudaFree(d);
}
