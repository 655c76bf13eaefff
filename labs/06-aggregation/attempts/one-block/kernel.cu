constexpr unsigned int bins = 7;

__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  __shared__ unsigned int private_histo[bins];
  for (unsigned int bin = threadIdx.x; bin < bins; bin += blockDim.x) {
    private_histo[bin] = 0;
  }
  __syncthreads();

  if (blockIdx.x == 0) {
    unsigned int accumulator = 0;
    int previous_bin = -1;
    for (unsigned int i = threadIdx.x; i < length; i += blockDim.x) {
      const int letter = data[i] - 'a';
      if (letter >= 0 && letter < 26) {
        const int bin = letter / 4;
        if (bin == previous_bin) {
          ++accumulator;
        } else {
          if (accumulator > 0) {
            atomicAdd(&private_histo[previous_bin], accumulator);
          }
          accumulator = 1;
          previous_bin = bin;
        }
      }
    }
    if (accumulator > 0) {
      atomicAdd(&private_histo[previous_bin], accumulator);
    }
  }
  __syncthreads();

  for (unsigned int bin = threadIdx.x; bin < bins; bin += blockDim.x) {
    atomicAdd(&histo[bin], private_histo[bin]);
  }
}
