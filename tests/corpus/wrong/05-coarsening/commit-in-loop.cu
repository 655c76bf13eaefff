// expect: failed - - - check=few_commits
__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  __shared__ unsigned int h[7];
  for (int round = 0; round < 8; ++round) {
    for (unsigned int b = threadIdx.x; b < 7; b += blockDim.x) h[b] = 0;
    __syncthreads();
    const unsigned int i = (blockIdx.x * 8 + round) * blockDim.x + threadIdx.x;
    if (i < length && data[i] >= 'a' && data[i] <= 'z') atomicAdd(&h[(data[i] - 'a') / 4], 1u);
    __syncthreads();
    for (unsigned int b = threadIdx.x; b < 7; b += blockDim.x) atomicAdd(&histo[b], h[b]);
    __syncthreads();
  }
}
