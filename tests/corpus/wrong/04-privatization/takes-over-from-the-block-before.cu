// expect: failed - - - check=no_findings explains=ascending
// A running sum: each block takes over what block number - 1 has left, if it has run.
__device__ unsigned int running[2048][7];
__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  __shared__ unsigned int mine[7];
  for (unsigned int b = threadIdx.x; b < 7; b += blockDim.x) mine[b] = blockIdx.x == 0 ? 0 : atomicExch(&running[blockIdx.x - 1][b], 0u);
  __syncthreads();
  const unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < length && data[i] >= 'a' && data[i] <= 'z') atomicAdd(&mine[(data[i] - 'a') / 4], 1u);
  __syncthreads();
  for (unsigned int b = threadIdx.x; b < 7; b += blockDim.x)
    if (blockIdx.x + 1 == gridDim.x) atomicAdd(&histo[b], mine[b]);
    else atomicExch(&running[blockIdx.x][b], mine[b]);
}
