// expect: failed misaligned_access data 11
__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  const unsigned int n = gridDim.x * blockDim.x;
  const unsigned int me = blockIdx.x * blockDim.x + threadIdx.x;
  // The first four bytes apart, then pairs of words: 4 is no multiple of 8.
  for (unsigned int i = me; i < 4 && i < length; i += n)
    if (data[i] >= 'a' && data[i] <= 'z') atomicAdd(&histo[(data[i] - 'a') / 4], 1u);
  if (length <= 4) return;
  const uint2* pairs = reinterpret_cast<const uint2*>(data + 4);
  for (unsigned int p = me; p < (length - 4) / 8; p += n) {
    const uint2 v = pairs[p];
    for (int s = 0; s < 32; s += 8) {
      const unsigned int a = (v.x >> s & 255) - 'a', b = (v.y >> s & 255) - 'a';
      if (a < 26) atomicAdd(&histo[a / 4], 1u);
      if (b < 26) atomicAdd(&histo[b / 4], 1u);
    }
  }
  for (unsigned int i = 4 + (length - 4) / 8 * 8 + me; i < length; i += n)
    if (data[i] >= 'a' && data[i] <= 'z') atomicAdd(&histo[(data[i] - 'a') / 4], 1u);
}
