// expect: failed - - - check=no_findings
// The barrier behind the counting is missing: an addition of 0 reads atomically, but not the finished sum.
__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  __shared__ unsigned int mine[7];
  for (unsigned int b = threadIdx.x; b < 7; b += blockDim.x) mine[b] = 0;
  __syncthreads();
  const unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < length && data[i] >= 'a' && data[i] <= 'z') atomicAdd(&mine[(data[i] - 'a') / 4], 1u);
  if (threadIdx.x == blockDim.x - 1)
    for (unsigned int b = 0; b < 7; ++b) atomicAdd(&histo[b], atomicAdd(&mine[b], 0u));
}
