// expect: passed
__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  const char* p = data;
  const char* const end = data + length;
  p += blockIdx.x * blockDim.x;
  p += threadIdx.x;
  if (p < end) {
    const unsigned char c = *reinterpret_cast<const unsigned char*>(p);
    unsigned int* where = histo;
    if (c - 'a' >= 0 && c <= 'z') {
      where += (c - 'a') >> 2;
      atomicAdd(where, 1u);
    }
  }
}
