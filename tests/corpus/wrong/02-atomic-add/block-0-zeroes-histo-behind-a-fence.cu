// expect: failed data_race histo 6|11
// A fence orders the zeroing before what block 0 does later, and no other block's addition behind it.
__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  if (blockIdx.x == 0) {
    for (unsigned int b = threadIdx.x; b < 7; b += blockDim.x)
      atomicExch(&histo[b], 0u);
    __threadfence();
    __syncthreads();
  }
  const unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < length && data[i] >= 'a' && data[i] <= 'z') atomicAdd(&histo[(data[i] - 'a') / 4], 1u);
}
