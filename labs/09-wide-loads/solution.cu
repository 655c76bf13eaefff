// Lab 09, solution: reads head and tail as characters, the aligned middle as uint4.
//
// An eighth counter, which is never committed, counts all other bytes: this saves sixteen branches per load.
constexpr unsigned int bins = 7;

__device__ void count(unsigned int* counts, unsigned char character) {
  const unsigned int letter = character - 'a';
  atomicAdd(&counts[letter < 26 ? letter / 4 : bins], 1u);
}

__device__ void count_word(unsigned int* counts, unsigned int word) {
  for (unsigned int k = 0; k < 4; ++k) {  // the first character is the lowest byte
    count(counts, word >> 8 * k & 0xff);
  }
}

__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  __shared__ unsigned int counts[bins + 1];
  for (unsigned int bin = threadIdx.x; bin < bins + 1; bin += blockDim.x) {
    counts[bin] = 0;
  }
  __syncthreads();

  const unsigned int thread = blockIdx.x * blockDim.x + threadIdx.x;
  const unsigned int threads = gridDim.x * blockDim.x;
  const unsigned int to_border = (16 - reinterpret_cast<unsigned long long>(data) % 16) % 16;
  const unsigned int head = min(to_border, length);
  const unsigned int wide = (length - head) / 16;
  const unsigned int tail_begin = head + 16 * wide;

  const uint4* middle = reinterpret_cast<const uint4*>(data + head);
  for (unsigned int i = thread; i < wide; i += threads) {
    const uint4 characters = middle[i];
    count_word(counts, characters.x);
    count_word(counts, characters.y);
    count_word(counts, characters.z);
    count_word(counts, characters.w);
  }
  for (unsigned int i = thread; i < head; i += threads) {
    count(counts, data[i]);
  }
  for (unsigned int i = tail_begin + thread; i < length; i += threads) {
    count(counts, data[i]);
  }
  __syncthreads();

  for (unsigned int bin = threadIdx.x; bin < bins; bin += blockDim.x) {
    if (counts[bin] > 0) {
      atomicAdd(&histo[bin], counts[bin]);
    }
  }
}
