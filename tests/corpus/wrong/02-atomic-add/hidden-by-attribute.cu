// expect: refused
__global__ __attribute__((no_sanitize("thread"))) void histogram(const char* data, unsigned int length, unsigned int* histo) {
  unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < length && data[i] >= 'a' && data[i] <= 'z') histo[(data[i] - 'a') / 4] += 1;
}
