// expect: failed misaligned_access counts 6
// The compiler knows that these eight bytes begin at 4, 12 and 20; a GPU does not forgive it.
__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  __shared__ __align__(16) unsigned int counts[16];
  for (unsigned int k = threadIdx.x; k < 16; k += blockDim.x) counts[k] = 0; __syncthreads();
  if (threadIdx.x < 3) *(uint2*)(counts + 1 + 2 * threadIdx.x) = make_uint2(0, 0);
  __syncthreads();
  const unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < length && data[i] >= 'a' && data[i] <= 'z') atomicAdd(&counts[1 + (data[i] - 'a') / 4], 1u);
  __syncthreads();
  for (unsigned int b = threadIdx.x; b < 7; b += blockDim.x) atomicAdd(&histo[b], counts[1 + b]);
}
