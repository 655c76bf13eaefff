// expect: passed
// Eight 8-bit counters in one 64-bit register, flushed before any can overflow.
__device__ void flush(unsigned long long& packed, unsigned int* histo) {
  for (int b = 0; b < 7; ++b, packed >>= 8)
    if (unsigned int n = packed & 0xff) atomicAdd(&histo[b], n);
  packed = 0;
}
__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  unsigned long long packed = 0;
  int held = 0;
  for (unsigned int i = blockIdx.x * blockDim.x + threadIdx.x; i < length; i += gridDim.x * blockDim.x) {
    const unsigned int l = (unsigned char)data[i] - 97u;
    if (l < 26u) packed += 1ull << (l / 4 * 8);
    if (++held == 255) {
      flush(packed, histo);
      held = 0;
    }
  }
  flush(packed, histo);
}
