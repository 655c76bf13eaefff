// expect: failed - - - check=matches_reference more
__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  unsigned int mine[7] = {};
  unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < length) {
    const int l = data[i] - 'a';
    if (l >= 0) mine[l / 4]++;
  }
  for (int b = 0; b < 7; ++b)
    if (mine[b]) atomicAdd(&histo[b], mine[b]);
}
