extern "C" __device__ const unsigned int copies = 64;

__global__ void histogram(const char* data, unsigned int length, unsigned int* histo, unsigned int num_bins,
                          unsigned int letters_per_bin) {
  unsigned int* own = histo + blockIdx.x % copies * num_bins;
  const unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < length) {
    const int letter = data[i] - 'a';
    if (letter >= 0 && letter < 26) {
      atomicAdd(&own[letter / letters_per_bin], 1u);
    }
  }
  __syncthreads();
  if (threadIdx.x < num_bins && blockIdx.x % copies > 0) {
    atomicAdd(&histo[threadIdx.x], atomicExch(&own[threadIdx.x], 0u));
  }
}
