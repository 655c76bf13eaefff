// Lab 07, solution: a copy for each of the first blocks, which share all of the data; barrier; commit to copy 0.
//
// Blocks beyond them have nothing to do: fewer blocks with more letters each also commit less often. Every fifth copy is used,
// so that copies of seven bins are in different cache lines: the L2 performs updates of one line one by one.
constexpr unsigned int counting_blocks = 1056, apart = 5;
extern "C" __device__ const unsigned int copies = counting_blocks * apart;

__global__ void histogram(const char* data, unsigned int length, unsigned int* histo, unsigned int num_bins,
                          unsigned int letters_per_bin) {
  if (blockIdx.x >= counting_blocks) {
    return;  // the whole block
  }
  unsigned int* own = histo + blockIdx.x * apart * num_bins;
  const unsigned int threads = min(gridDim.x, counting_blocks) * blockDim.x;
  for (unsigned int i = blockIdx.x * blockDim.x + threadIdx.x; i < length; i += threads) {
    const int letter = data[i] - 'a';
    if (letter >= 0 && letter < 26) {
      atomicAdd(&own[letter / letters_per_bin], 1u);
    }
  }
  __syncthreads();

  if (blockIdx.x > 0) {  // block 0 has counted in the result
    for (unsigned int bin = threadIdx.x; bin < num_bins; bin += blockDim.x) {
      const unsigned int count = own[bin];
      if (count > 0) {
        atomicAdd(&histo[bin], count);
      }
    }
  }
}
