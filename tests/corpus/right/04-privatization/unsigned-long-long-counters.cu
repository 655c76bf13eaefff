// expect: passed
__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  __shared__ unsigned long long s[7];
  if (threadIdx.x < 7) s[threadIdx.x] = 0ull;
  for (unsigned int b = blockDim.x + threadIdx.x; b < 7; b += blockDim.x) s[b] = 0ull;
  __syncthreads();
  const unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < length && data[i] >= 'a' && data[i] <= 'z') atomicAdd(&s[(data[i] - 'a') / 4], 1ull);
  __syncthreads();
  for (int b = threadIdx.x; b < 7; b += blockDim.x) atomicAdd(&histo[b], (unsigned int)s[b]);
}
