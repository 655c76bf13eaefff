// The sum is to arrive in a variable on the host's stack.
#include <stdio.h>

__global__ void sum(const int *in, int n, int *result) {
  int total = 0;
  for (int i = 0; i < n; ++i) total += in[i];
  *result = total;  // finding: out_of_bounds
}

int main() {
  int numbers[10] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10};
  int *d_numbers, result = 0;
  cudaMalloc(&d_numbers, sizeof numbers);
  cudaMemcpy(d_numbers, numbers, sizeof numbers, cudaMemcpyHostToDevice);
  sum<<<1, 1>>>(d_numbers, 10, &result);  // finding: invalid_device_pointer
  if (cudaDeviceSynchronize() != cudaSuccess) return 1;
  printf("%d\n", result);
  cudaFree(d_numbers);
  return 0;
}
