// expect: compile_error - - -
#include <vector>
__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  std::vector<unsigned int> mine(7, 0);
  unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < length && data[i] >= 'a' && data[i] <= 'z') mine[(data[i] - 'a') / 4]++;
  for (int b = 0; b < 7; ++b) atomicAdd(&histo[b], mine[b]);
}
