// expect: failed data_race full 15/17 first more
// Lane 0 reads the flag for its warp and hands it on by a shuffle.
__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  __shared__ unsigned int mine[7];
  __shared__ bool full;
  const unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
  for (unsigned int b = threadIdx.x; b < 7; b += blockDim.x) mine[b] = 0;
  if (threadIdx.x == 0) full = true;
  __syncthreads();
  if (i < length && data[i] >= 'a' && data[i] <= 'z') atomicAdd(&mine[(data[i] - 'a') / 4], 1u);
  const unsigned int mask = __activemask();
  for (int r = 0; r < 2; ++r) {
    int f = 0;
    if (threadIdx.x % 32 == 0)
      f = full;
    if (__shfl_sync(mask, f, 0)) __syncthreads();
    if (threadIdx.x == blockDim.x - 1) full = false;
  }
  __syncthreads();
  for (unsigned int b = threadIdx.x; b < 7; b += blockDim.x) atomicAdd(&histo[b], mine[b]);
}
