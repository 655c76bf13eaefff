constexpr unsigned int bins = 7;

__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  unsigned long long packed = 0;  // eight counters of eight bits
  for (unsigned int i = blockIdx.x * blockDim.x + threadIdx.x; i < length; i += gridDim.x * blockDim.x) {
    const unsigned int letter = data[i] - 'a';
    if (letter < 26) packed += 1ull << 8 * (letter / 4);
  }
  __shared__ unsigned int block_counts[bins];
  for (unsigned int b = threadIdx.x; b < bins; b += blockDim.x) block_counts[b] = 0;
  __syncthreads();
  for (unsigned int b = 0; b < bins; ++b) atomicAdd(&block_counts[b], packed >> 8 * b & 0xff);
  __syncthreads();
  for (unsigned int b = threadIdx.x; b < bins; b += blockDim.x) atomicAdd(&histo[b], block_counts[b]);
}
