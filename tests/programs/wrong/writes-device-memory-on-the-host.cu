// The host initializes memory of cudaMalloc itself.
#include <stdio.h>

__global__ void inc(int *a) { a[threadIdx.x]++; }

int main() {
  int *a;
  cudaMalloc(&a, 32 * sizeof(int));
  for (int i = 0; i < 32; i++)
    a[i] = i;  // finding: host_access_of_device_memory
  inc<<<1, 32>>>(a);
  cudaDeviceSynchronize();
  cudaFree(a);
  return 0;
}
