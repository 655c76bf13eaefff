// The arguments of the last cudaMemcpy are swapped, and nothing looks at its result.
#include <stdio.h>

__global__ void fill(int *out, int n) {
  int i = threadIdx.x;
  if (i < n) out[i] = 2 * i;
}

int main(void) {
  int host[64] = {0};
  int *dev;
  cudaMalloc((void **)&dev, sizeof(host));
  fill<<<1, 64>>>(dev, 64);
  // finding below: invalid_copy, unchecked_error
  cudaMemcpy(dev, host, sizeof(host), cudaMemcpyDeviceToHost);
  printf("%d\n", host[63]);
  cudaFree(dev);
  return 0;
}
