__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  if (threadIdx.x % 32 > 0) return;
  const unsigned int warps = gridDim.x * ((blockDim.x + 31) / 32), me = blockIdx.x * ((blockDim.x + 31) / 32) + threadIdx.x / 32;
  const auto count = [&](unsigned int byte) {
    if (byte - 97 < 26) atomicAdd(&histo[(byte - 97) / 4], 1u);
  };
  for (unsigned int i = me * 16; i < length; i += warps * 16) {
    if (i + 16 > length) {
      while (i < length) count(static_cast<unsigned char>(data[i++]));
      return;
    }
    const uint4 v = *reinterpret_cast<const uint4*>(&data[i]);
    const unsigned int words[4] = {v.x, v.y, v.z, v.w};
    for (unsigned int word : words)
      for (int k = 0; k < 32; k += 8) count(word >> k & 255);
  }
}
