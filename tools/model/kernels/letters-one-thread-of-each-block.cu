// Shared privatization; one thread of each block counts the block's share.
constexpr unsigned int bins = 7;
__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  __shared__ unsigned int counts[bins];
  for (unsigned int bin = threadIdx.x; bin < bins; bin += blockDim.x) counts[bin] = 0;
  __syncthreads();
  const unsigned int share = (length + gridDim.x - 1) / gridDim.x, begin = blockIdx.x * share;
  if (threadIdx.x == 0)
    for (unsigned int i = begin; i < begin + share && i < length; ++i) {
      const int letter = data[i] - 'a';
      if (letter >= 0 && letter < 26) atomicAdd(&counts[letter / 4], 1u);
    }
  __syncthreads();
  for (unsigned int bin = threadIdx.x; bin < bins; bin += blockDim.x) atomicAdd(&histo[bin], counts[bin]);
}
