// expect: failed barrier_divergence - 6|10
__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  __shared__ unsigned int s[7];
  if (threadIdx.x < 7) {
    for (int b = threadIdx.x; b < 7; b += blockDim.x) s[b] = 0;
    __syncthreads();
  }
  const unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < length && data[i] >= 'a' && data[i] <= 'z') atomicAdd(&s[(data[i] - 'a') / 4], 1u);
  __syncthreads();
  for (int b = threadIdx.x; b < 7; b += blockDim.x) atomicAdd(&histo[b], s[b]);
}
