// sizeof of a pointer: only the first bins are cleared.
#include <stdio.h>

__global__ void histogram(const unsigned char *text, int n, unsigned *bins) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) atomicAdd(&bins[text[i]], 1u);  // finding: uninitialized_read
}

int main() {
  const char text[] = "the quick brown fox jumps over the lazy dog";
  unsigned h_bins[256];
  unsigned char *d_text;
  unsigned *d_bins;
  cudaMalloc(&d_text, sizeof(text));
  cudaMalloc(&d_bins, sizeof(h_bins));
  cudaMemcpy(d_text, text, sizeof(text), cudaMemcpyHostToDevice);
  cudaMemset(d_bins, 0, sizeof(d_bins));
  histogram<<<1, 64>>>(d_text, sizeof(text) - 1, d_bins);
  cudaMemcpy(h_bins + 'o', d_bins + 'o', sizeof(unsigned), cudaMemcpyDeviceToHost);
  printf("o: %u\n", h_bins['o']);
  cudaFree(d_text);
  cudaFree(d_bins);
  return 0;
}
