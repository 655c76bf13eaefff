__device__ void add_one(unsigned int* address) {
  unsigned int seen = *address;
  unsigned int expected;
  do {
    expected = seen;
    seen = atomicCAS(address, expected, expected + 1);
  } while (seen != expected);
}

__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  const unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= length) {
    return;
  }
  const unsigned int letter = static_cast<unsigned char>(data[i]) - 'a';
  if (letter < 26) {
    add_one(histo + letter / 4);
  }
}
