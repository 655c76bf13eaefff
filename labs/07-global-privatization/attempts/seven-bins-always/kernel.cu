extern "C" __device__ const unsigned int copies = 64;

__global__ void histogram(const char* data, unsigned int length, unsigned int* histo, unsigned int num_bins,
                          unsigned int letters_per_bin) {
  unsigned int* own = histo + blockIdx.x % copies * 7;
  const unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < length) {
    const int letter = data[i] - 'a';
    if (letter >= 0 && letter < 26) {
      atomicAdd(&own[letter / letters_per_bin], 1u);
    }
  }
  __syncthreads();
  for (unsigned int bin = threadIdx.x; bin < 7 && blockIdx.x % copies > 0; bin += blockDim.x) {
    atomicAdd(&histo[bin], atomicExch(&own[bin], 0u));
  }
}
