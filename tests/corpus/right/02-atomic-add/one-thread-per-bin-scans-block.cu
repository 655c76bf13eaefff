// expect: passed
__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  const unsigned int begin = blockIdx.x * blockDim.x;
  const unsigned int end = min(begin + blockDim.x, length);
  for (unsigned int b = threadIdx.x; b < 7; b += blockDim.x) {
    unsigned int n = 0;
    for (unsigned int i = begin; i < end; ++i) {
      const char lowest = (char)('a' + 4 * b);
      const char highest = b == 6 ? 'z' : (char)(lowest + 3);
      n += data[i] >= lowest && data[i] <= highest;
    }
    if (n != 0) atomicAdd(&histo[b], n);
  }
}
