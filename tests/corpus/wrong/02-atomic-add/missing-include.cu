// expect: compile_error - - 2
#include "my_helpers.cuh"
__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < length && is_letter(data[i])) atomicAdd(&histo[(data[i] - 'a') / 4], 1u);
}
