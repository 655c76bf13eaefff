// expect: failed - - - explains=exported
__device__ const unsigned int copies = 32;
__global__ void histogram(const char* data, unsigned int length, unsigned int* histo, unsigned int num_bins, unsigned int letters_per_bin) {
  unsigned int* const mine = &histo[(blockIdx.x % copies) * num_bins];
  const unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < length) {
    const unsigned int letter = data[i] - 'a';
    if (letter < 26) atomicAdd(&mine[letter / letters_per_bin], 1u);
  }
  __syncthreads();
  for (unsigned int b = threadIdx.x; b < num_bins && mine != histo; b += blockDim.x) atomicAdd(&histo[b], atomicExch(&mine[b], 0u));
}
