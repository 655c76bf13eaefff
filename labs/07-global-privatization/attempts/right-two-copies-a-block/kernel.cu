extern "C" __device__ const unsigned int copies = 255;

__global__ void histogram(const char* data, unsigned int length, unsigned int* histo, unsigned int num_bins,
                          unsigned int letters_per_bin) {
  const unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
  const unsigned int first = 2 * blockIdx.x % (copies - 1), own = first + threadIdx.x / 32 % 2;
  if (i < length && data[i] >= 'a' && data[i] <= 'z') {
    atomicAdd(histo + own * num_bins + (data[i] - 'a') / letters_per_bin, 1u);
  }
  __syncthreads();
  for (unsigned int k = threadIdx.x; k < 2 * num_bins; k += blockDim.x) {
    if (first * num_bins + k >= num_bins) {
      const unsigned int count = atomicExch(histo + first * num_bins + k, 0u);
      if (count != 0) atomicAdd(histo + k % num_bins, count);
    }
  }
}
