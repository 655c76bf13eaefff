// expect: passed
__constant__ signed char kBin[26] = {0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5, 6, 6};
__global__ void histogram(const char* __restrict__ data, unsigned int length, unsigned int* __restrict__ histo) {
  unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < length && data[i] >= 'a' && data[i] <= 'z') {
    atomicAdd(&histo[kBin[data[i] - 'a']], 1u);
  }
}
