// The kernel stores far behind its array; nothing looks at the error.
#include <stdio.h>

__global__ void spread(int *a, int n) {
  int i = threadIdx.x;
  if (i < n) a[i * 1000000] = i;  // finding: out_of_bounds
}

int main() {
  int h[100], *d;
  cudaMalloc(&d, sizeof h);
  cudaMemset(d, 0, sizeof h);
  spread<<<1, 128>>>(d, 100);  // finding: unchecked_error
  cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost);
  cudaFree(d);
  return 0;
}
