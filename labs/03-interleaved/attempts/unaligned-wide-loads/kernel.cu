__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  const unsigned int threads = gridDim.x * blockDim.x;
  const unsigned int id = blockIdx.x * blockDim.x + threadIdx.x;
  const unsigned int chunk = length / threads;
  unsigned int i = id * chunk;
  const unsigned int end = id + 1 == threads ? length : i + chunk;
  for (; i + 4 <= end; i += 4) {
    const unsigned int word = *reinterpret_cast<const unsigned int*>(data + i);
    for (int shift = 0; shift < 32; shift += 8) {
      const unsigned int letter = (word >> shift & 255u) - 'a';
      if (letter < 26) {
        atomicAdd(&histo[letter / 4], 1u);
      }
    }
  }
  for (; i < end; ++i) {
    const unsigned int letter = static_cast<unsigned char>(data[i]) - 'a';
    if (letter < 26) {
      atomicAdd(&histo[letter / 4], 1u);
    }
  }
}
