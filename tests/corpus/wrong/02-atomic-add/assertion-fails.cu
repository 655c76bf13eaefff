// expect: failed illegal_instruction|assertion - 6
#include <cassert>
__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= length) return;
  assert(data[i] >= 'a' && data[i] <= 'z');
  atomicAdd(&histo[(data[i] - 'a') / 4], 1u);
}
