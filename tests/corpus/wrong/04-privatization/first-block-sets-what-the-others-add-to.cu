// expect: failed - - - check=no_findings
// Only the first block stores; the others add, as if they came later.
__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  __shared__ unsigned int mine[7];
  for (unsigned int b = threadIdx.x; b < 7; b += blockDim.x) mine[b] = 0;
  __syncthreads();
  const unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < length && data[i] >= 'a' && data[i] <= 'z') atomicAdd(&mine[(data[i] - 'a') / 4], 1u);
  __syncthreads();
  for (unsigned int b = threadIdx.x; b < 7; b += blockDim.x) {
    if (blockIdx.x == 0) {
      const unsigned int had = atomicExch(&histo[b], mine[b]);
      if (had > length) atomicAdd(&histo[b], had);
    } else {
      atomicAdd(&histo[b], mine[b]);
    }
  }
}
