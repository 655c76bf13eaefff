// expect: passed
// The result of the addition is used: whoever brings a bin to a multiple of 1000 does nothing special.
__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  unsigned int i = blockIdx.x * blockDim.x + threadIdx.x, before = 0;
  if (i < length && data[i] >= 'a' && data[i] <= 'z') before = atomicAdd(&histo[(data[i] - 'a') / 4], 1u);
  if (before == 0xffffffffu) printf("bin overflows at element %u\n", i);
}
