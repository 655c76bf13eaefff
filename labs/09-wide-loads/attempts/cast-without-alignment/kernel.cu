constexpr unsigned int bins = 7;

__device__ void count(unsigned int* counts, unsigned char character) {
  const int letter = character - 'a';
  if (letter >= 0 && letter < 26) {
    atomicAdd(&counts[letter / 4], 1u);
  }
}

__device__ void count_word(unsigned int* counts, unsigned int word) {
  for (unsigned int k = 0; k < 4; ++k) count(counts, word >> 8 * k & 0xff);
}

__device__ void count_wide(unsigned int* counts, uint4 characters) {
  count_word(counts, characters.x);
  count_word(counts, characters.y);
  count_word(counts, characters.z);
  count_word(counts, characters.w);
}

__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  __shared__ unsigned int counts[bins];
  for (unsigned int bin = threadIdx.x; bin < bins; bin += blockDim.x) counts[bin] = 0;
  __syncthreads();
  const unsigned int thread = blockIdx.x * blockDim.x + threadIdx.x;
  const unsigned int threads = gridDim.x * blockDim.x;
  const uint4* wide = reinterpret_cast<const uint4*>(data);
  for (unsigned int i = thread; i < length / 16; i += threads) {
    count_wide(counts, wide[i]);
  }
  for (unsigned int i = length / 16 * 16 + thread; i < length; i += threads) count(counts, data[i]);
  __syncthreads();
  for (unsigned int bin = threadIdx.x; bin < bins; bin += blockDim.x) atomicAdd(&histo[bin], counts[bin]);
}
