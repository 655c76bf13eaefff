extern "C" __device__ const unsigned int copies = 256;

__global__ void histogram(const char* data, unsigned int length, unsigned int* histo, unsigned int num_bins,
                          unsigned int letters_per_bin) {
  const unsigned int copy = blockIdx.x % copies;
  unsigned int* own = histo + copy * num_bins;
  const unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < length) {
    const int letter = data[i] - 'a';
    if (letter >= 0 && letter < 26) {
      atomicAdd(&own[letter / letters_per_bin], 1u);
    }
  }
  __syncthreads();
  for (unsigned int bin = threadIdx.x; bin < num_bins && copy > 0; bin += blockDim.x) {
    const unsigned int count = atomicExch(&own[bin], 0u);
    if (count > 0) atomicAdd(&histo[bin], count);
  }
}
