// expect: passed
__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  __shared__ unsigned int a[7], c[7];
  unsigned int *now = a, *next = c;
  for (int b = threadIdx.x; b < 7; b += blockDim.x) now[b] = 0;
  __syncthreads();
  for (int half = 0; half < 2; ++half) {
    for (int b = threadIdx.x; b < 7; b += blockDim.x) next[b] = 0;
    const unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (threadIdx.x % 2 == half && i < length && data[i] >= 'a' && data[i] <= 'z') atomicAdd(&now[(data[i] - 'a') / 4], 1u);
    __syncthreads();
    unsigned int* t = now;
    now = next;
    next = t;
    for (int b = threadIdx.x; b < 7; b += blockDim.x)
      if (next[b]) atomicAdd(&histo[b], next[b]);
    __syncthreads();  // not needed: a thread clears what it read
  }
}
