// Shared privatization; each thread counts a contiguous share, whose length depends on the grid.
constexpr unsigned int bins = 7;
__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  __shared__ unsigned int counts[bins];
  for (unsigned int bin = threadIdx.x; bin < bins; bin += blockDim.x) counts[bin] = 0;
  __syncthreads();
  const unsigned int threads = gridDim.x * blockDim.x;
  const unsigned int share = (length + threads - 1) / threads;
  const unsigned int begin = (blockIdx.x * blockDim.x + threadIdx.x) * share;
  for (unsigned int i = begin; i < begin + share && i < length; ++i) {
    const int letter = data[i] - 'a';
    if (letter >= 0 && letter < 26) atomicAdd(&counts[letter / 4], 1u);
  }
  __syncthreads();
  for (unsigned int bin = threadIdx.x; bin < bins; bin += blockDim.x) atomicAdd(&histo[bin], counts[bin]);
}
