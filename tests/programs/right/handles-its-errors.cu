// Errors that are expected, and looked at: a device that is chosen, a stream that is queried.
#include <cstdio>

__global__ void nothing() {}

int main() {
  cudaError_t e = cudaSetDevice(0);
  if (e != cudaSuccess) return 1;
  int* d;
  e =
      cudaMalloc(&d, sizeof *d);
  if (e != cudaSuccess || cudaFree(d)) return 1;
  cudaStream_t s;
  if (cudaStreamCreate(&s)) return 1;
  nothing<<<1, 1, 0, s>>>();
  while ((e = cudaStreamQuery(s)) == cudaErrorNotReady) {
  }
  if (e != cudaSuccess || cudaPeekAtLastError() != cudaSuccess) return 1;
  std::printf("%s: %s\n", cudaGetErrorName(e), cudaGetErrorString(e));
  if (cudaStreamDestroy(s)) return 1;
  return cudaDeviceReset();
}
