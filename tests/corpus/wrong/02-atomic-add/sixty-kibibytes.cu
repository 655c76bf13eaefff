// expect: failed shared_memory_limit - 3
__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  __shared__ unsigned int tables[60 * 1024 / 4]; 
  for (unsigned int k = threadIdx.x; k < 60 * 1024 / 4; k += blockDim.x) tables[k] = 0;
  __syncthreads();
  unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < length && data[i] >= 'a' && data[i] <= 'z') atomicAdd(&tables[(data[i] - 'a') / 4], 1u);
  __syncthreads();
  for (unsigned int b = threadIdx.x; b < 7; b += blockDim.x) atomicAdd(&histo[b], tables[b]);
}
