// expect: failed - - - check=no_findings
// The block with the highest number moves what has been counted so far, and nobody moves the rest.
__device__ unsigned int sums[7];
__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  const unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < length && data[i] >= 'a' && data[i] <= 'z') atomicAdd(&sums[(data[i] - 'a') / 4], 1u);
  __syncthreads();
  const bool last = blockIdx.x + 1 == gridDim.x;
  for (unsigned int b = threadIdx.x; last && b < 7; b += blockDim.x) histo[b] = atomicExch(&sums[b], 0u);
}
