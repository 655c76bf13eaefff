// expect: passed
__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  const unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < length && data[i] >= 'a' && data[i] <= 'z') {
    unsigned int* bin = &histo[(data[i] - 'a') / 4];
    unsigned int old;
    do {
      old = *bin;
    } while (atomicCAS(bin, old, old + 1) != old);
  }
}
