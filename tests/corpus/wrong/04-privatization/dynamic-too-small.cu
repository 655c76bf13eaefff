// expect: failed out_of_bounds bins 5
// 28 bytes are seven words, not eight.
extern __shared__ unsigned int bins[];
__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  for (int b = threadIdx.x; b < 8; b += blockDim.x) bins[b] = 0;
  __syncthreads();
  const unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < length && data[i] >= 'a' && data[i] <= 'z') atomicAdd(&bins[(data[i] - 'a') / 4], 1u);
  __syncthreads();
  for (int b = threadIdx.x; b < 7; b += blockDim.x) atomicAdd(&histo[b], bins[b]);
}
