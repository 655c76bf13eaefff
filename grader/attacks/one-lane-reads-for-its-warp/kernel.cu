__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  if (threadIdx.x > 0) return;
  const unsigned int chunk = (length / gridDim.x + 15) / 16 * 16, begin = min(blockIdx.x * chunk, length);
  const unsigned int end = blockIdx.x + 1 == gridDim.x ? length : min(begin + chunk, length);
  const auto count = [&](unsigned int byte) {
    if (byte - 97 < 26) atomicAdd(&histo[(byte - 97) / 4], 1u);
  };
  unsigned int i = begin;
  for (; i + 16 <= end; i += 16) {
    const uint4 v = *reinterpret_cast<const uint4*>(&data[i]);
    const unsigned int words[4] = {v.x, v.y, v.z, v.w};
    for (unsigned int word : words)
      for (int k = 0; k < 4; ++k) count(word >> 8 * k & 255);
  }
  for (; i < end; ++i) count(static_cast<unsigned char>(data[i]));
}
