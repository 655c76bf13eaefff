// expect: passed
// The flag is read into a register between two barriers.
__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  __shared__ unsigned int mine[7];
  __shared__ int full;
  for (unsigned int b = threadIdx.x; b < 7; b += blockDim.x) mine[b] = 0;
  if (threadIdx.x == 0) full = 0;
  __syncthreads();  // not needed: round 0 has two
  const unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
  for (int r = 0; r < 3; ++r) {
    if (r == 1 && i < length && data[i] >= 'a' && data[i] <= 'z') { atomicAdd(&mine[(data[i] - 'a') / 4], 1u); full = 1; }
    __syncthreads();
    const int now = full;
    __syncthreads();
    if (now) {
      for (unsigned int b = threadIdx.x; b < 7; b += blockDim.x) atomicAdd(&histo[b], atomicExch(&mine[b], 0u));
      if (threadIdx.x == 0) full = 0;
      __syncthreads();  // not needed: the next round has two
    }
  }
}
