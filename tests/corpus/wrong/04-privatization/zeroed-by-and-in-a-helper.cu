// expect: failed data_race bins 4|14|17 more
// atomicAnd with 0 stores a 0 whatever was there, as an exchange does.
__device__ void clear(int* bins) {
  if (threadIdx.x < 7) atomicAnd(&bins[threadIdx.x], 0);
}

__device__ void commit(const int* bins, unsigned int* histo) {
  if (threadIdx.x >= 4) return;
  for (unsigned int b = threadIdx.x; b < 7; b += 4) atomicAdd(&histo[b], (unsigned int)bins[b]);
}

__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  __shared__ int bins[7];
  if (blockDim.x < 7 && threadIdx.x == 0) for (int b = 0; b < 7; ++b) atomicAnd(&bins[b], 0);
  else clear(bins);
  const unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < length && data[i] >= 'a' && data[i] <= 'z') atomicAdd(&bins[(data[i] - 'a') >> 2], 1);
  __syncthreads();
  commit(bins, histo);
}
