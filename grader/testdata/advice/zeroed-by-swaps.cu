// lab: 07
// finding: none - -
// try: Put __syncthreads() between the phases of a block: zero, count, commit
extern "C" __device__ const unsigned int copies = 8192;
__global__ void histogram(const char* data, unsigned int length, unsigned int* histo, unsigned int num_bins, unsigned int letters_per_bin) {
  unsigned int* const mine = histo + num_bins * (1 + blockIdx.x);
  for (unsigned int b = threadIdx.x; b < num_bins; b += blockDim.x) {
    unsigned int was, seen = 0;
    do {
      was = seen;
      seen = atomicCAS(&mine[b], was, 0u);
    } while (seen != was);
  }
//+   __syncthreads();
  const unsigned int threads = gridDim.x * blockDim.x;
  for (unsigned int i = blockIdx.x * blockDim.x + threadIdx.x; i < length; i += threads) {
    const int letter = data[i] - 'a';
    if (letter >= 0 && letter < 26) atomicAdd(&mine[letter / letters_per_bin], 1u);
  }
  __syncthreads();
  for (unsigned int b = threadIdx.x; b < num_bins; b += blockDim.x) atomicAdd(&histo[b], mine[b]);
}
