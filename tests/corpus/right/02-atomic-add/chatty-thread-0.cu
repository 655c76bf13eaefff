// expect: passed
#include <cstdio>
__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (threadIdx.x == 0) printf("block %d of %u begins at %u: %c %s %5.2f %llu\n", blockIdx.x, gridDim.x, i, 'x', "text", 1.5, 7ull);
  if (i < length && data[i] >= 'a' && data[i] <= 'z') atomicAdd(&histo[(data[i] - 'a') / 4], 1u);
}
