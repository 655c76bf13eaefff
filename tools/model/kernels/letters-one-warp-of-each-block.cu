// Shared privatization; one warp of each block counts with a stride.
constexpr unsigned int bins = 7;
__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  __shared__ unsigned int counts[bins];
  for (unsigned int bin = threadIdx.x; bin < bins; bin += blockDim.x) counts[bin] = 0;
  __syncthreads();
  if (threadIdx.x < 32)
    for (unsigned int i = blockIdx.x * 32 + threadIdx.x; i < length; i += gridDim.x * 32) {
      const int letter = data[i] - 'a';
      if (letter >= 0 && letter < 26) atomicAdd(&counts[letter / 4], 1u);
    }
  __syncthreads();
  for (unsigned int bin = threadIdx.x; bin < bins; bin += blockDim.x) atomicAdd(&histo[bin], counts[bin]);
}
