// expect: failed shared_memory_limit - 3|-
__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  __shared__ unsigned int much[48 * 1024 / 4];
  for (int b = threadIdx.x; b < 7; b += blockDim.x) much[b] = 0;
  __syncthreads();
  const unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < length && data[i] >= 'a' && data[i] <= 'z') atomicAdd(&much[(data[i] - 'a') / 4], 1u);
  __syncthreads();
  for (int b = threadIdx.x; b < 7; b += blockDim.x) atomicAdd(&histo[b], much[b]);
}
