// expect: failed - - - explains=exported
#define copies 16
__global__ void histogram(const char* data, unsigned int length, unsigned int* histo, unsigned int num_bins, unsigned int letters_per_bin) {
  const unsigned int i = blockIdx.x * blockDim.x + threadIdx.x, own = blockIdx.x % copies * num_bins;
  const int letter = i < length ? data[i] - 'a' : -1;
  if (letter >= 0 && letter < 26) atomicAdd(&histo[own + letter / letters_per_bin], 1u);
  __syncthreads();
  if (own == 0) return;
  for (unsigned int b = threadIdx.x; b < num_bins; b += blockDim.x) atomicAdd(&histo[b], atomicExch(&histo[own + b], 0u));
}
