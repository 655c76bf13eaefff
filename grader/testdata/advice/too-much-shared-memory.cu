// lab: 02
// finding: shared_memory_limit - 5
// try: Make them smaller
__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  __shared__ unsigned int table[60 * 1024 / 4];  // -
//+   __shared__ unsigned int table[7];
  const unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
  for (unsigned int b = threadIdx.x; b < 7; b += blockDim.x) table[b] = 0;
  __syncthreads();
  if (i < length && data[i] >= 'a' && data[i] <= 'z') atomicAdd(&table[(data[i] - 'a') / 4], 1u);
  __syncthreads();
  for (unsigned int b = threadIdx.x; b < 7; b += blockDim.x) atomicAdd(&histo[b], table[b]);
}
