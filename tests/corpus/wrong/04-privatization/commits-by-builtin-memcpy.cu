// expect: refused
constexpr unsigned int bins = 7;
__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  __shared__ unsigned int counts[bins];
  if (threadIdx.x < bins) counts[threadIdx.x] = histo[threadIdx.x];
  __syncthreads();
  unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < length && data[i] >= 'a' && data[i] <= 'z') atomicAdd(&counts[(data[i] - 'a') / 4], 1u);
  __syncthreads();
  if (threadIdx.x == 0) __builtin_memcpy(histo, counts, sizeof counts);
}
