// expect: passed
__device__ void tally(unsigned int* histo, unsigned int byte) {
  unsigned int letter = byte - 'a';
  if (letter < 26) atomicAdd(&histo[letter >> 2], 1u);
}
__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  const unsigned int id = blockIdx.x * blockDim.x + threadIdx.x;
  const unsigned int words = length / 4;
  if (id < words) {
    const unsigned int word = ((const unsigned int*)data)[id];
    for (int shift = 0; shift < 32; shift += 8) tally(histo, (word >> shift) & 255);
  }
  if (id == 0) {
    for (unsigned int i = words * 4; i < length; ++i) tally(histo, (unsigned char)data[i]);
  }
}
