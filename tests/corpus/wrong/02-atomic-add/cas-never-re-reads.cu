// expect: failed deadlock - 7
__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  const unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < length && data[i] >= 'a' && data[i] <= 'z') {
    unsigned int* bin = &histo[(data[i] - 'a') / 4];
    const unsigned int seen = *(volatile unsigned int*)bin;
    while (atomicCAS(bin, seen, seen + 1) != seen) {
    }
  }
}
