// expect: passed
__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  const unsigned int n = gridDim.x * blockDim.x;
  unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
  char next = i < length ? data[i] : 0;
  while (i < length) {
    const char c = next;
    i += n;
    next = i < length ? data[i] : 0;
    if (c < 'a') continue;
    if (c > 'z') continue;
    atomicAdd(&histo[(c - 'a') / 4], 1u);
  }
}
