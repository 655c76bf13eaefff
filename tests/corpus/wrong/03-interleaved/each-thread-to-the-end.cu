// expect: failed - - - check=matches_reference
// Each thread begins at its own byte and goes on to the end, one by one.
__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
  while (i < length) {
    const char c = data[i++];
    if (c >= 'a' && c <= 'z') atomicAdd(histo + (c - 'a') / 4, 1u);
  }
}
