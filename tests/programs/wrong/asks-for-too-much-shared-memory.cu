// 64 KiB of dynamic shared memory without cudaFuncSetAttribute.
#include <cstdio>

__global__ void reverse(int* data, int n) {
  extern __shared__ int tile[];
  for (int i = threadIdx.x; i < n; i += blockDim.x) tile[i] = data[i];
  __syncthreads();
  for (int i = threadIdx.x; i < n; i += blockDim.x) data[i] = tile[n - 1 - i];
}

int main() {
  const int n = 16384;
  int* d;
  if (cudaMalloc(&d, n * sizeof(int)) || cudaMemset(d, 0, n * sizeof(int))) return 1;
  reverse<<<1, 256, n * sizeof(int)>>>(d, n);  // finding: shared_memory_limit
  cudaError_t e = cudaDeviceSynchronize();
  if (e == cudaSuccess) e = cudaGetLastError();
  if (e != cudaSuccess) {
    std::printf("%s\n", cudaGetErrorString(e));
    return 1;
  }
  return cudaFree(d);
}
