// expect: failed data_race histo 6/8 first says=lost
// All threads of a block read bin 0..6, thread 0 alone writes the sum.
__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  const unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
  for (int b = 0; b < 7; ++b) {
    const unsigned int old = histo[b];
    const int n = __syncthreads_count(i < length && data[i] >= 'a' && data[i] <= 'z' && (data[i] - 'a') / 4 == b);
    if (threadIdx.x == 0) histo[b] = old + n;
  }
}
