// expect: failed barrier_divergence - 17 first
// Two barriers are in branches. The first one that threads miss is the one further down; the helper above comes later.
__device__ void commit(const unsigned int* from, unsigned int* to) {
  if (threadIdx.x < 7) {
    __syncthreads();
    atomicAdd(&to[threadIdx.x], from[threadIdx.x]);
  }
}

__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  __shared__ unsigned int mine[7];
  const unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (threadIdx.x < 7) mine[threadIdx.x] = 0;
  __syncthreads();
  if (i < length && data[i] >= 'a' && data[i] <= 'z') {
    atomicAdd(&mine[(data[i] - 'a') / 4], 1u);
    __syncthreads();
  }
  __syncthreads();
  commit(mine, histo);
}
