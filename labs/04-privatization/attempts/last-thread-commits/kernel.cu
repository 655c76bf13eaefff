constexpr unsigned int bins = 7;

__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  __shared__ unsigned int private_histo[bins];
  for (unsigned int bin = threadIdx.x; bin < bins; bin += blockDim.x) {
    private_histo[bin] = 0;
  }
  __syncthreads();
  const unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < length) {
    const int letter = data[i] - 'a';
    if (letter >= 0 && letter < 26) {
      atomicAdd(&private_histo[letter / 4], 1u);
    }
  }

  if (threadIdx.x == blockDim.x - 1) {
    for (unsigned int bin = 0; bin < bins; ++bin) {
      atomicAdd(&histo[bin], atomicAdd(&private_histo[bin], 0u));
    }
  }
}
