// expect: passed
__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  __shared__ unsigned int priv[7];
  for (unsigned int b = threadIdx.x; b < 7; b += blockDim.x) priv[b] = 0;
  __syncthreads();
  int held = -1;
  unsigned int n = 0;
  auto flush = [&] {
    if (held >= 0) atomicAdd(&priv[held], n);
    n = 0;
  };
  const unsigned int threads = blockDim.x * gridDim.x;
  const unsigned int each = (length + threads - 1) / threads;
  const unsigned int begin = (blockIdx.x * blockDim.x + threadIdx.x) * each;
  for (unsigned int i = begin; i < min(length, begin + each); ++i) {
    const int l = data[i] - 'a';
    const int bin = l >= 0 && l < 26 ? l / 4 : held;
    if (bin != held) {
      flush();
      held = bin;
    }
    n += l >= 0 && l < 26;
  }
  flush();
  __syncthreads();
  for (unsigned int b = threadIdx.x; b < 7; b += blockDim.x) atomicAdd(&histo[b], priv[b]);
}
