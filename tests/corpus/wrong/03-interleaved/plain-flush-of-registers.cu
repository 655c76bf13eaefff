// expect: failed data_race histo 8
__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  unsigned int mine[7] = {0};
  for (unsigned int i = blockIdx.x * blockDim.x + threadIdx.x; i < length; i += gridDim.x * blockDim.x) {
    const int l = data[i] - 'a';
    if (l >= 0 && l < 26) ++mine[l / 4];
  }
  for (int b = 0; b < 7; ++b) histo[b] += mine[b];
}
