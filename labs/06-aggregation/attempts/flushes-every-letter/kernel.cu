constexpr unsigned int bins = 7;

__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  __shared__ unsigned int private_histo[bins];
  for (unsigned int bin = threadIdx.x; bin < bins; bin += blockDim.x) {
    private_histo[bin] = 0;
  }
  __syncthreads();

  for (unsigned int i = blockIdx.x * blockDim.x + threadIdx.x; i < length; i += gridDim.x * blockDim.x) {
    unsigned int accumulator = 0;
    const int letter = data[i] - 'a';
    if (letter >= 0 && letter < 26) {
      ++accumulator;
      atomicAdd(&private_histo[letter / 4], accumulator);
    }
  }
  __syncthreads();

  for (unsigned int bin = threadIdx.x; bin < bins; bin += blockDim.x) {
    atomicAdd(&histo[bin], private_histo[bin]);
  }
}
