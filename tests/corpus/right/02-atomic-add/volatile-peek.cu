// expect: passed
// A volatile peek that meets only atomics.
__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < length && data[i] >= 'a' && data[i] <= 'z') {
    unsigned int* bin = &histo[(data[i] - 'a') / 4];
    if (*(volatile unsigned int*)bin < 0xfffffff0u) atomicAdd(bin, 1u);
  }
}
