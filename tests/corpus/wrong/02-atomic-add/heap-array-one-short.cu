// expect: failed out_of_bounds malloc@6 8 more
// Room for the letters a to y.
__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  const unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= length || data[i] < 'a' || data[i] > 'z') return;
  unsigned char* bin_of = (unsigned char*)malloc(25);
  if (bin_of == nullptr) return;
  for (int c = 0; c < 26; ++c) bin_of[c] = c / 4;
  atomicAdd(&histo[bin_of[data[i] - 'a']], 1u);
  free(bin_of);
}
