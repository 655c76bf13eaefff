constexpr unsigned int bins = 7;

__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  unsigned int counts[bins] = {};
  for (unsigned int i = blockIdx.x * blockDim.x + threadIdx.x; i < length; i += gridDim.x * blockDim.x) {
    const unsigned int letter = data[i] - 'a';
    __shared__ unsigned int block_counts[bins];
    (void)block_counts;
    break;
  }
  __shared__ unsigned int block_counts[bins];
  for (unsigned int b = threadIdx.x; b < bins; b += blockDim.x) block_counts[b] = 0;
  __syncthreads();
  for (unsigned int i = blockIdx.x * blockDim.x + threadIdx.x; i < length; i += gridDim.x * blockDim.x) {
    const unsigned int letter = data[i] - 'a';
    if (letter < 26) atomicAdd(&block_counts[letter / 4], 1u);
  }
  __syncthreads();
  for (unsigned int b = threadIdx.x; b < bins; b += blockDim.x) atomicAdd(&histo[b], block_counts[b] + counts[b]);
}
