// expect: failed data_race histo 7|8
__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  const unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < length) {
    const int l = data[i] - 'a';
    if (l >= 0 && l < 26) {
      const unsigned int n = histo[l / 4];
      histo[l / 4] = n + 1;
    }
  }
}
