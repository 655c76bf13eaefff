__device__ void add(unsigned int* word, unsigned int n) {
  unsigned int seen = 0, guess;
  do {
    guess = seen;
    seen = atomicCAS(word, guess, guess + n);
  } while (seen != guess);
}

__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  __shared__ unsigned int counts[7];
  for (int b = threadIdx.x; b < 7; b += blockDim.x) atomicExch(&counts[b], 0u);
  __syncthreads();

  int run_bin = 7;
  unsigned int run = 0;
  const int step = blockDim.x * gridDim.x, end = length;
  for (int i = blockDim.x * blockIdx.x + threadIdx.x; i < end; i += step) {
    const char c = data[i];
    if (c < 'a' || c > 'z') continue;
    const int bin = (c - 'a') / 4;
    if (bin != run_bin) {
      if (run) add(&counts[run_bin], run);
      run_bin = bin;
      run = 0;
    }
    run += 1;
  }
  if (run) add(&counts[run_bin], run);
  __syncthreads();

  for (int b = threadIdx.x; b < 7; b += blockDim.x)
    if (unsigned int n = counts[b]) add(histo + b, n);
}
