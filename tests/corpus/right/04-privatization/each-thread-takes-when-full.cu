// expect: passed
// A thread that finds many in a bin takes them out and commits them; the exchange loses nothing.
__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  __shared__ unsigned int mine[7];
  for (unsigned int b = threadIdx.x; b < 7; b += blockDim.x) mine[b] = 0;
  __syncthreads();
  const unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < length && data[i] >= 'a' && data[i] <= 'z') {
    unsigned int* const bin = &mine[(data[i] - 'a') / 4];
    if (atomicAdd(bin, 1u) == 99) {
      const unsigned int taken = atomicExch(bin, 0u);
      atomicAdd(&histo[bin - mine], taken);
    }
  }
  __syncthreads();
  for (unsigned int b = threadIdx.x; b < 7; b += blockDim.x) if (mine[b]) atomicAdd(&histo[b], mine[b]);
}
