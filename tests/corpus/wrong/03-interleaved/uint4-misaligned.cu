// expect: failed misaligned_access data 6
// The vector loads begin one byte too late.
__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  const unsigned int id = blockIdx.x * blockDim.x + threadIdx.x, n = gridDim.x * blockDim.x;
  for (unsigned int q = id; (q + 1) * 16 + 1 <= length; q += n) {
    const uint4 v = reinterpret_cast<const uint4*>(data + 1)[q];
    const unsigned int words[4] = {v.x, v.y, v.z, v.w};
    for (int k = 0; k < 16; ++k) {
      const unsigned int c = words[k / 4] >> (8 * (k % 4)) & 0xff;
      if (c >= 'a' && c <= 'z') atomicAdd(&histo[(c - 'a') / 4], 1u);
    }
  }
}
