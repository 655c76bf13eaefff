constexpr unsigned int bins = 7;

__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  __shared__ unsigned int private_histo[bins];
  for (unsigned int bin = threadIdx.x; bin < bins; bin += blockDim.x) {
    atomicExch(&private_histo[bin], 0u);
  }
  const unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < length) {
    const int letter = data[i] - 'a';
    if (letter >= 0 && letter < 26) {
      atomicAdd(&private_histo[letter / 4], 1u);
    }
  }
  __syncthreads();

  for (unsigned int bin = threadIdx.x; bin < bins; bin += blockDim.x) {
    atomicAdd(&histo[bin], private_histo[bin]);
  }
}
