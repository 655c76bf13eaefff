// expect: failed deadlock arrived 16
// A barrier of the whole grid, at which a whole block polls together.
__device__ unsigned int arrived, sums[7];
__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  __shared__ unsigned int s[7];
  if (threadIdx.x == 0) for (int b = 0; b < 7; ++b) s[b] = 0;
  __syncthreads();
  const unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < length && data[i] >= 'a' && data[i] <= 'z') atomicAdd(&s[(data[i] - 'a') / 4], 1u);
  __syncthreads();
  if (threadIdx.x == 0) {
    for (int b = 0; b < 7; ++b) atomicAdd(&sums[b], s[b]);
    __threadfence();
    atomicAdd(&arrived, 1u);
  }
  while (__syncthreads_or(threadIdx.x == 0 && atomicAdd(&arrived, 0u) < gridDim.x)) {
  }
  if (blockIdx.x == 0 && threadIdx.x == 0)
    for (int b = 0; b < 7; ++b) histo[b] = atomicAdd(&sums[b], 0u);
}
