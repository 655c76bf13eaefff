// expect: failed data_race histo 9/13 first says=remove
// The results of all additions of a thread are stored at the end.
__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  const unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned int result[7] = {};
  bool had[7] = {};
  if (i < length && data[i] >= 'a' && data[i] <= 'z') {
    const int b = (data[i] - 'a') / 4;
    result[b] = atomicAdd(&histo[b], 1u) + 1;
    had[b] = true;
  }
  for (int b = 0; b < 7; ++b)
    if (had[b]) histo[b] = result[b];
}
