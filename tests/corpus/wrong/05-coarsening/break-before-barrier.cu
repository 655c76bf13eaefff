// expect: failed barrier_divergence - 11|13
// Whoever runs out of data leaves the loop and misses its barriers.
__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  __shared__ unsigned int h[7];
  for (unsigned int b = threadIdx.x; b < 7; b += blockDim.x) h[b] = 0;
  __syncthreads();
  for (int round = 0; round < 8; ++round) {
    const unsigned int i = (blockIdx.x * 8 + round) * blockDim.x + threadIdx.x;
    if (i >= length) break;
    if (data[i] >= 'a' && data[i] <= 'z') atomicAdd(&h[(data[i] - 'a') / 4], 1u);
    __syncthreads();
  }
  __syncthreads();
  for (unsigned int b = threadIdx.x; b < 7; b += blockDim.x) atomicAdd(&histo[b], h[b]);
}
