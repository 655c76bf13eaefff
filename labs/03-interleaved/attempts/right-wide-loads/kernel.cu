__device__ void count(unsigned int word, unsigned int* histo) {
  for (int k = 0; k < 4; ++k, word >>= 8) {
    const unsigned int letter = (word & 0xffu) - 'a';
    if (letter < 26u) {
      atomicAdd(histo + letter / 4u, 1u);
    }
  }
}

__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  const unsigned int stride = blockDim.x * gridDim.x;
  const unsigned int id = blockIdx.x * blockDim.x + threadIdx.x;
  const uint4* quads = reinterpret_cast<const uint4*>(data);
  for (unsigned int q = id; q < length / 16; q += stride) {
    const uint4 v = quads[q];
    count(v.x, histo);
    count(v.y, histo);
    count(v.z, histo);
    count(v.w, histo);
  }
  for (unsigned int i = length / 16 * 16 + id; i < length; i += stride) {
    count(static_cast<unsigned char>(data[i]), histo);
  }
}
