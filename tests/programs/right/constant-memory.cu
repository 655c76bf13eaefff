// A convolution whose mask is in constant memory.
#include <stdio.h>

#define MASK 5
__constant__ float M[MASK];

__global__ void convolution(const float *N, float *P, int width) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= width) return;
  float value = 0;
  int begin = i - MASK / 2;
  for (int j = 0; j < MASK; j++)
    if (begin + j >= 0 && begin + j < width) value += N[begin + j] * M[j];
  P[i] = value;
}

int main() {
  enum { width = 333 };
  float in[width], out[width], mask[MASK] = {3, 4, 5, 4, 3};
  for (int i = 0; i < width; i++) in[i] = i % 7;
  float *d_in, *d_out;
  cudaMalloc((void **)&d_in, sizeof in);
  cudaMalloc((void **)&d_out, sizeof out);
  cudaMemcpyToSymbol(M, mask, sizeof mask);
  cudaMemcpy(d_in, in, sizeof in, cudaMemcpyHostToDevice);
  convolution<<<(width + 127) / 128, 128>>>(d_in, d_out, width);
  cudaMemcpy(out, d_out, sizeof out, cudaMemcpyDeviceToHost);
  int wrong = 0;
  for (int i = 0; i < width; i++) {
    float expected = 0;
    for (int j = 0; j < MASK; j++) {
      int at = i - MASK / 2 + j;
      if (at >= 0 && at < width) expected += in[at] * mask[j];
    }
    wrong += out[i] != expected;
  }
  printf("%d wrong\n", wrong);
  cudaFree(d_in);
  cudaFree(d_out);
  return wrong;
}
