// expect: passed
// Sixteen bytes with one cached load, and the byte-wise comparison and dot product of four at a time.
__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  const unsigned int id = blockIdx.x * blockDim.x + threadIdx.x, n = gridDim.x * blockDim.x;
  const unsigned int quads = length / 16;
  for (unsigned int q = id; q < quads; q += n) {
    const uint4 v = __ldg((const uint4*)data + q);
    const unsigned int words[4] = {v.x, v.y, v.z, v.w};
    for (int bin = 0; bin < 7; ++bin) {
      const unsigned int low = (unsigned int)('a' + 4 * bin) * 0x01010101u, high = (unsigned int)(bin < 6 ? 'd' + 4 * bin : 'z') * 0x01010101u;
      int count = 0;
      for (int w = 0; w < 4; ++w) count = __dp4a((int)(__vsetgeu4(words[w], low) & __vsetleu4(words[w], high)), 0x01010101, count);
      if (count != 0) atomicAdd(&histo[bin], (unsigned int)count);
    }
  }
  for (unsigned int i = quads * 16 + id; i < length; i += n) {
    const unsigned char c = (unsigned char)__ldcs(data + i);
    if (c >= 'a' && c <= 'z') atomicAdd(&histo[(c - 'a') / 4], 1u);
  }
}
