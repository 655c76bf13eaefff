// expect: passed
extern __shared__ unsigned int counts[];
__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  __shared__ unsigned int first_of_block;
  if (threadIdx.x == 0) first_of_block = blockIdx.x * blockDim.x;
  for (unsigned int b = threadIdx.x; b < 7; b += blockDim.x) counts[b] = 0;
  __syncthreads();
  const unsigned int i = first_of_block + threadIdx.x;
  if (i < length) {
    const int l = data[i] - 'a';
    if (l >= 0 && l < 26) atomicAdd(&counts[l / 4], 1u);
  }
  __syncthreads();
  for (unsigned int b = threadIdx.x; b < 7; b += blockDim.x)
    if (counts[b] != 0) atomicAdd(&histo[b], counts[b]);
}
