// expect: compile_error - - 4
#include <cstdio>
__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  FILE* f = fopen("/etc/hostname", "r");
  unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (f != nullptr && i < length && data[i] >= 'a' && data[i] <= 'z') atomicAdd(&histo[(data[i] - 'a') / 4], 1u);
}
