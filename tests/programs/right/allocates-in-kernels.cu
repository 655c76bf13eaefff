// Kernels use malloc, new and assert.
#include <assert.h>
#include <stdio.h>

__global__ void pyramid(int *out) {
  int n = threadIdx.x + 1;
  int *row = (int *)malloc(n * sizeof(int));
  assert(row != NULL);
  for (int i = 0; i < n; i++) row[i] = i;
  int *sum = new int(0);
  for (int i = 0; i < n; i++) *sum += row[i];
  out[threadIdx.x] = *sum;
  delete sum;
  free(row);
}

int main() {
  int host[20], *device;
  cudaDeviceSetLimit(cudaLimitMallocHeapSize, 1 << 20);
  cudaMalloc(&device, sizeof host);
  pyramid<<<1, 20>>>(device);
  cudaMemcpy(host, device, sizeof host, cudaMemcpyDeviceToHost);
  printf("%d\n", host[19]);
  cudaFree(device);
  return host[19] == 190 ? 0 : 1;
}
