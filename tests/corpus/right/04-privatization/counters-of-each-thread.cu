// expect: passed
// Each thread has its seven counters in shared memory, and seven threads add them up.
__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  __shared__ unsigned int part[7][1024];
  const unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned int c[7] = {0, 0, 0, 0, 0, 0, 0};
  if (i < length) {
    const int l = data[i] - 'a';
    if (l >= 0 && l < 26)
      for (int b = 0; b < 7; ++b) c[b] += l / 4 == b;
  }
  for (int b = 0; b < 7; ++b) part[b][threadIdx.x] = c[b];
  __syncthreads();
  for (unsigned int b = threadIdx.x; b < 7; b += blockDim.x) {
    unsigned int sum = 0;
    for (unsigned int t = 0; t < blockDim.x; ++t) sum += part[b][t];
    if (sum) atomicAdd(&histo[b], sum);
  }
}
