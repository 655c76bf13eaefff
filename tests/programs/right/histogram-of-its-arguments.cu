// arguments: hello histogram
// A histogram of the letters in the program's arguments.
#include <stdio.h>
#include <string.h>

__global__ void histogram(const char *text, int n, int *bins) {
  __shared__ int local[26];
  if (threadIdx.x < 26) local[threadIdx.x] = 0;
  __syncthreads();
  for (int i = threadIdx.x + blockIdx.x * blockDim.x; i < n; i += blockDim.x * gridDim.x)
    if (text[i] >= 'a' && text[i] <= 'z') atomicAdd(&local[text[i] - 'a'], 1);
  __syncthreads();
  if (threadIdx.x < 26) atomicAdd(&bins[threadIdx.x], local[threadIdx.x]);
}

int main(int argc, char **argv) {
  if (argc != 3) {
    fprintf(stderr, "usage: %s WORD WORD\n", argv[0]);
    return 2;
  }
  char text[200], *d_text;
  int bins[26], *d_bins;
  int n = snprintf(text, sizeof text, "%s %s", argv[1], argv[2]);
  cudaMalloc(&d_text, n);
  cudaMalloc(&d_bins, sizeof bins);
  cudaMemcpy(d_text, text, n, cudaMemcpyHostToDevice);
  cudaMemset(d_bins, 0, sizeof bins);
  histogram<<<2, 64>>>(d_text, n, d_bins);
  cudaMemcpy(bins, d_bins, sizeof bins, cudaMemcpyDeviceToHost);
  for (int i = 0; i < 26; i++)
    if (bins[i]) printf("%c: %d\n", 'a' + i, bins[i]);
  cudaFree(d_text);
  cudaFree(d_bins);
  return bins['l' - 'a'] == 2 && bins['o' - 'a'] == 2 ? 0 : 1;
}
