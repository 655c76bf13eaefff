// expect: passed
__device__ __noinline__ void add(unsigned int* histo, unsigned char c) {
  if (c < 'a') return;
  else if (c < 'e') atomicAdd(histo, 1u);
  else if (c < 'i') atomicAdd(histo + 1, 1u);
  else if (c < 'm') atomicAdd(histo + 2, 1u);
  else if (c < 'q') atomicAdd(histo + 3, 1u);
  else if (c < 'u') atomicAdd(histo + 4, 1u);
  else if (c < 'y') atomicAdd(histo + 5, 1u);
  else if (c < '{') atomicAdd(histo + 6, 1u);
}
__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  const unsigned int n = gridDim.x * blockDim.x;
  unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
  for (; i + n < length; i += 2 * n) {
    add(histo, data[i]);
    add(histo, data[i + n]);
  }
  if (i < length) add(histo, data[i]);
}
