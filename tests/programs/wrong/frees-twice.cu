// The clean-up frees one buffer twice and forgets the other.
#include <stdio.h>

__global__ void copy(const int *in, int *out) { out[threadIdx.x] = in[threadIdx.x]; }

int main() {
  int h[32] = {7}, *d_in, *d_out;
  cudaMalloc(&d_in, sizeof h);
  cudaMalloc(&d_out, sizeof h);  // finding: leak
  cudaMemcpy(d_in, h, sizeof h, cudaMemcpyHostToDevice);
  copy<<<1, 32>>>(d_in, d_out);
  cudaMemcpy(h, d_out, sizeof h, cudaMemcpyDeviceToHost);
  printf("%d\n", h[0]);
  cudaFree(d_in);
  cudaFree(d_in);  // finding: invalid_free, unchecked_error
  return 0;
}
