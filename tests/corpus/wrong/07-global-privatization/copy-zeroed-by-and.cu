// expect: failed data_race histo 8/13
// Each block clears its copy by atomicAnd; nothing orders that before the counting.
extern "C" __device__ const unsigned int copies = 8192;
struct Copy {
  unsigned int* at;
  unsigned int bins;
  __device__ void clear() const {
    for (unsigned int b = threadIdx.x; b < bins; b += blockDim.x) atomicAnd(at + b, 0u);
  }
  __device__ void count(char c, unsigned int width) const {
    const int letter = c - 'a';
    if (letter < 0 || letter >= 26) return;
    atomicAdd(at + letter / width, 1u);
  }
};
__global__ void histogram(const char* data, unsigned int length, unsigned int* histo, unsigned int num_bins, unsigned int letters_per_bin) {
  const Copy mine{histo + (blockIdx.x + 1) * num_bins, num_bins};
  mine.clear();
  const unsigned int threads = gridDim.x * blockDim.x;
  for (unsigned int i = blockIdx.x * blockDim.x + threadIdx.x; i < length; i += threads) mine.count(data[i], letters_per_bin);
  __syncthreads();
  for (unsigned int b = threadIdx.x; b < num_bins; b += blockDim.x) atomicAdd(&histo[b], mine.at[b]);
}
