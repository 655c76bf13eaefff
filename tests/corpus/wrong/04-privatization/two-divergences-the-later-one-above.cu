// expect: failed barrier_divergence - 15/17 first
// Two barriers are in branches. The first one that threads miss is the one further down; the helper above comes later.
__device__ void commit(const unsigned int* from, unsigned int* to) {
  for (unsigned int b = threadIdx.x; b < 7; b += blockDim.x) {
    __syncthreads();
    atomicAdd(&to[b], from[b]);
  }
}

__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  __shared__ unsigned int mine[7];
  const unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
  for (unsigned int b = threadIdx.x; b < 7; b += blockDim.x) mine[b] = 0;
  if (threadIdx.x % 2 == 0)
    __syncthreads();
  else
    __syncthreads();
  if (i < length && data[i] >= 'a' && data[i] <= 'z') atomicAdd(&mine[(data[i] - 'a') / 4], 1u);
  __syncthreads();
  commit(mine, histo);
}
