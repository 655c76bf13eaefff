// expect: passed
// All read a counter, a barrier follows, and thread 0 writes what it computed from it.
__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  __shared__ unsigned int mine[7];
  for (unsigned int b = threadIdx.x; b < 7; b += blockDim.x) mine[b] = 0;
  __syncthreads();
  const unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
  for (int b = 0; b < 7; ++b) {
    const unsigned int old = mine[b];
    const int n = __syncthreads_count(i < length && data[i] >= 'a' && data[i] <= 'z' && (data[i] - 'a') / 4 == b);
    if (threadIdx.x == 0) mine[b] = old + n;
  }
  __syncthreads();
  for (unsigned int b = threadIdx.x; b < 7; b += blockDim.x) atomicAdd(&histo[b], mine[b]);
}
