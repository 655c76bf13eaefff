// expect: failed out_of_bounds histo 7
__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  const unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= length) return;
  const int l = data[i] - 'a';
  const bool letter = l >= 0 && l < 26;
  histo[letter ? l / 4 : 7]++;
}
