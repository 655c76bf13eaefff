// expect: passed
__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  __shared__ unsigned int even[7], odd[7];
  for (int b = threadIdx.x; b < 7; b += blockDim.x) even[b] = odd[b] = 0;
  __syncthreads();
  unsigned int* mine = threadIdx.x % 2 ? odd : even;
  const unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < length && data[i] >= 'a' && data[i] <= 'z') atomicAdd(&mine[(data[i] - 'a') / 4], 1u);
  __syncthreads();
  for (int b = threadIdx.x; b < 7; b += blockDim.x) atomicAdd(&histo[b], even[b] + odd[b]);
}
