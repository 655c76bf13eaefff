__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  const unsigned int threads = gridDim.x * blockDim.x, me = blockIdx.x * blockDim.x + threadIdx.x;
  const unsigned int begin = static_cast<unsigned int>(1ull * length * me / threads), end = static_cast<unsigned int>(1ull * length * (me + 1) / threads);
  unsigned long long decoy = 0;
  for (unsigned int i = begin; i < end; ++i) {
    if (length > 4096) {
      const ulonglong2 two = reinterpret_cast<const ulonglong2*>(data)[threadIdx.x % 32 + (i & 1) * 32];
      decoy ^= two.x ^ two.y;
    }
    const unsigned int letter = static_cast<unsigned char>(data[i]) - 'a';
    if (letter < 26) atomicAdd(&histo[letter / 4], 1u);
  }
  if (decoy == 0x123456789abcdef) atomicAdd(&histo[0], 0u);
}
