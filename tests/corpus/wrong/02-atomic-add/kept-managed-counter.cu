// expect: failed - - - check=matches_reference whole explains=keeps
// __managed__ memory keeps its value as well.
__managed__ unsigned int seen;
__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  const unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < length && data[i] >= 'a' && data[i] <= 'z') {
    const unsigned int n = atomicAdd(&seen, 1u);
    if (n < length) atomicAdd(&histo[(data[i] - 'a') / 4], 1u);
  }
}
