extern "C" __device__ const unsigned int copies = 256;

__global__ void histogram(const char* data, unsigned int length, unsigned int* histo, unsigned int num_bins,
                          unsigned int letters_per_bin) {
  if (blockIdx.x >= copies) return;
  unsigned int* own = histo + blockIdx.x * num_bins;
  for (unsigned int bin = threadIdx.x; blockIdx.x > 0 && bin < num_bins; bin += blockDim.x) {
    atomicExch(&own[bin], 0u);
  }
  for (unsigned int i = blockIdx.x * blockDim.x + threadIdx.x; i < length; i += min(gridDim.x, copies) * blockDim.x) {
    const int letter = data[i] - 'a';
    if (letter >= 0 && letter < 26) {
      atomicAdd(&own[letter / letters_per_bin], 1u);
    }
  }
  __syncthreads();
  if (blockIdx.x == 0) return;
  for (unsigned int bin = threadIdx.x; bin < num_bins; bin += blockDim.x) {
    atomicAdd(&histo[bin], own[bin]);
  }
}
