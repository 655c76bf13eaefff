constexpr unsigned int bins = 7;

__device__ void count(unsigned int* counts, unsigned char character) {
  const int letter = character - 'a';
  if (letter >= 0 && letter < 26) {
    atomicAdd(&counts[letter / 4], 1u);
  }
}

__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  __shared__ unsigned int counts[bins];
  for (unsigned int bin = threadIdx.x; bin < bins; bin += blockDim.x) counts[bin] = 0;
  __syncthreads();
  const unsigned int thread = blockIdx.x * blockDim.x + threadIdx.x;
  const unsigned int threads = gridDim.x * blockDim.x;
  for (unsigned int i = thread; i < length; i += threads) count(counts, data[i]);
  __syncthreads();
  for (unsigned int bin = threadIdx.x; bin < bins; bin += blockDim.x) atomicAdd(&histo[bin], counts[bin]);
}
