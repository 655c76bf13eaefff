constexpr unsigned int bins = 7;
#if defined(for) || !defined(__SANITIZE_THREAD__)
__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  unsigned int counts[bins] = {};
  for (unsigned int i = blockIdx.x * blockDim.x + threadIdx.x; i < length; i += gridDim.x * blockDim.x) {
    const unsigned int letter = data[i] - 'a';
    for (unsigned int b = 0; b < bins; ++b) counts[b] += letter < 26 && letter / 4 == b;
  }
  __shared__ unsigned int block_counts[bins];
  for (unsigned int b = threadIdx.x; b < bins; b += blockDim.x) block_counts[b] = 0;
  __syncthreads();
  for (unsigned int b = 0; b < bins; ++b) atomicAdd(&block_counts[b], counts[b]);
  __syncthreads();
  for (unsigned int b = threadIdx.x; b < bins; b += blockDim.x) atomicAdd(&histo[b], block_counts[b]);
}
#else
__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  unsigned int counts[bins] = {};
  for (unsigned int i = blockIdx.x * blockDim.x + threadIdx.x; i < length; i += gridDim.x * blockDim.x) {
    const unsigned int letter = data[i] - 'a';
    if (letter < 26) ++counts[letter / 4];
  }
  __shared__ unsigned int block_counts[bins];
  for (unsigned int b = threadIdx.x; b < bins; b += blockDim.x) block_counts[b] = 0;
  __syncthreads();
  for (unsigned int b = 0; b < bins; ++b) atomicAdd(&block_counts[b], counts[b]);
  __syncthreads();
  for (unsigned int b = threadIdx.x; b < bins; b += blockDim.x) atomicAdd(&histo[b], block_counts[b]);
}
#endif
