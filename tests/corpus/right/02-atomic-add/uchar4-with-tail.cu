// expect: passed
__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  const unsigned int id = blockIdx.x * blockDim.x + threadIdx.x;
  const uchar4* quads = reinterpret_cast<const uchar4*>(data);
  if (id < length >> 2) {
    const uchar4 q = quads[id];
    const unsigned char all[4] = {q.x, q.y, q.z, q.w};
#pragma unroll
    for (int k = 0; k < 4; ++k)
      if (all[k] >= 'a' && all[k] <= 'z') atomicAdd(&histo[(all[k] - 'a') / 4], 1u);
  }
  if (id < (length & 3)) {
    const char c = data[(length & ~3u) + id];
    if (c >= 'a' && c <= 'z') atomicAdd(&histo[(c - 'a') / 4], 1u);
  }
}
