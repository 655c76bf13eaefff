// expect: passed
__device__ void add(unsigned int* histo, unsigned int word, unsigned int bytes) {
  for (unsigned int k = 0; k < bytes; ++k, word >>= 8) {
    const unsigned int letter = (word & 255) - 'a';
    if (letter < 26) atomicAdd(&histo[letter / 4], 1u);
  }
}

// One thread in sixteen loads sixteen bytes.
__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  const unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < length / 16) {
    const uint4 words = reinterpret_cast<const uint4*>(data)[i];
    add(histo, words.x, 4);
    add(histo, words.y, 4);
    add(histo, words.z, 4);
    add(histo, words.w, 4);
  } else if (const unsigned int rest = length / 16 * 16 + i - length / 16; rest < length) {
    add(histo, static_cast<unsigned char>(data[rest]), 1);
  }
}
