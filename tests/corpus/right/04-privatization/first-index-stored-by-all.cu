// expect: passed
// All store the same first index, before a barrier.
__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  __shared__ unsigned int mine[7];
  __shared__ volatile unsigned int base;
  base = blockIdx.x * blockDim.x;
  for (unsigned int b = 0; b < 7; ++b) mine[b] = 0;
  __syncthreads();
  const unsigned int i = base + threadIdx.x;
  if (i < length && data[i] >= 'a' && data[i] <= 'z') atomicAdd(&mine[(data[i] - 'a') / 4], 1u);
  __syncthreads();
  for (unsigned int b = threadIdx.x; b < 7; b += blockDim.x) atomicAdd(&histo[b], mine[b]);
}
