__device__ void add_letter(unsigned int (&counts)[7], char c) {
  if (c >= 'a' && c <= 'z') {
    ++counts[(c - 'a') / 4];
  }
}

__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  __shared__ unsigned int block_counts[7];
  for (unsigned int bin = threadIdx.x; bin < 7; bin += blockDim.x) {
    block_counts[bin] = 0;
  }
  __syncthreads();

  unsigned int counts[7] = {};
  for (unsigned int i = blockIdx.x * blockDim.x + threadIdx.x; i < length; i += gridDim.x * blockDim.x) {
    add_letter(counts, data[i]);
  }

  for (unsigned int bin = 0; bin < 7; ++bin) {
    atomicAdd(&block_counts[bin], counts[bin]);
  }
  __syncthreads();
  for (unsigned int bin = threadIdx.x; bin < 7; bin += blockDim.x) {
    atomicAdd(&histo[bin], block_counts[bin]);
  }
}
