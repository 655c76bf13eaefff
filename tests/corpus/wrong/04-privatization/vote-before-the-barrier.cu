// expect: failed invalid_mask - 9|11 more
// The vote stands in a branch, with a mask of the whole warp, and the others already wait at the barrier.
__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  __shared__ unsigned int s[7];
  for (unsigned int b = threadIdx.x; b < 7; b += blockDim.x) s[b] = 0;
  __syncthreads();
  const unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < length && data[i] >= 'a' && data[i] <= 'z')
    if (__any_sync(0xffffffffu, 1))
      atomicAdd(&s[(data[i] - 'a') / 4], 1u);
  __syncthreads();
  for (unsigned int b = threadIdx.x; b < 7; b += blockDim.x) atomicAdd(&histo[b], s[b]);
}
