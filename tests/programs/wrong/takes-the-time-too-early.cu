// The second event is not waited for.
#include <stdio.h>

__global__ void work(float *a) {
  for (int i = 0; i < 50; i++) a[threadIdx.x] = a[threadIdx.x] * 0.5f + 1;
}

int main() {
  float *a, ms = 0;
  cudaMalloc(&a, 256 * sizeof(float));
  cudaMemset(a, 0, 256 * sizeof(float));
  cudaEvent_t start, stop;
  cudaEventCreate(&start);
  cudaEventCreate(&stop);
  cudaEventRecord(start);
  work<<<1, 256>>>(a);
  cudaEventRecord(stop);
  cudaError_t e = cudaEventElapsedTime(&ms, start, stop);  // finding: missing_synchronization
  if (e != cudaSuccess) printf("no time yet: %s\n", cudaGetErrorString(e));
  cudaEventDestroy(start);
  cudaEventDestroy(stop);
  cudaFree(a);
  return 0;
}
