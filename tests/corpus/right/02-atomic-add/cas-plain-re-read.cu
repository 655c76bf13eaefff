// expect: passed
__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  const unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < length) {
    const int letter = data[i] - 'a';
    if (letter >= 0 && letter < 26) {
      volatile unsigned int* v = histo;
      const int b = letter / 4;
      unsigned int expected;
      do {
        expected = v[b];
      } while (atomicCAS(&histo[b], expected, expected + 1) != expected);
    }
  }
}
