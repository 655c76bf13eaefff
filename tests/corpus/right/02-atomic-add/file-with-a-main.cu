// expect: passed
#include <stdio.h>
#include <stdlib.h>
__host__ __device__ inline bool is_letter(char c) { return c >= 'a' && c <= 'z'; }
__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < length && is_letter(data[i])) atomicAdd(&histo[(data[i] - 'a') / 4], 1u);
}
int main(int argc, char** argv) {
  printf("%d letters\n", argc > 1 ? is_letter(argv[1][0]) : 0);
  return EXIT_SUCCESS;
}
