// expect: failed data_race histo 7|8
// A plain read that no compare-and-swap validates, concurrent with atomics.
__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < length && data[i] >= 'a' && data[i] <= 'z') {
    unsigned int* bin = &histo[(data[i] - 'a') / 4];
    if (*bin < 1000000u)
      atomicAdd(bin, 1u);
  }
}
