// expect: failed data_race histo 5|12
// Block 0 is not the first to run, and nothing makes the others wait for it.
__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  __shared__ unsigned int mine[7];
  if (blockIdx.x == 0 && threadIdx.x < 7) atomicExch(&histo[threadIdx.x], 0u);
  for (unsigned int b = threadIdx.x; b < 7; b += blockDim.x) mine[b] = 0;
  __syncthreads();
  const unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < length && data[i] >= 'a' && data[i] <= 'z') atomicAdd(&mine[(data[i] - 'a') / 4], 1u);
  __syncthreads();
  for (unsigned int b = threadIdx.x; b < 7; b += blockDim.x)
    atomicAdd(&histo[b], mine[b]);
}
