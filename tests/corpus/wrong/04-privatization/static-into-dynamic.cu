// expect: failed out_of_bounds s|more_bins 7
__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  extern __shared__ unsigned int more_bins[];
  __shared__ unsigned int s[4];
  for (int b = threadIdx.x; b < 7; b += blockDim.x) {
    more_bins[b] = 0;
    s[b] = 0;
  }
  __syncthreads();
  const unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < length && data[i] >= 'a' && data[i] <= 'z') atomicAdd(&more_bins[(data[i] - 'a') / 4], 1u);
  __syncthreads();
  for (int b = threadIdx.x; b < 7; b += blockDim.x) atomicAdd(&histo[b], more_bins[b]);
}
