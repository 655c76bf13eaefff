// Lab 09: wide loads. Read sixteen characters with one instruction, from
// data that may begin and end anywhere.
//
//   data    length bytes of any value, at ANY address; everything but the
//           letters a-z is ignored
//   histo   seven counters (a-d, e-h, i-l, m-p, q-t, u-x, y-z), already zero
//           when the kernel starts
//   launch  any grid, also one with more threads than data: a thread handles
//           many characters or none; length may be 0. The launch also
//           provides 28 bytes of dynamic shared memory, for extern __shared__.
constexpr unsigned int bins = 7;

__device__ void count(unsigned int* counts, unsigned char character) {
  const int letter = character - 'a';
  if (letter >= 0 && letter < 26) {
    atomicAdd(&counts[letter / 4], 1u);
  }
}

// TODO 1: the four characters of a word. Which bits hold the first one?
__device__ void count_word(unsigned int* counts, unsigned int word) {
}

__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  __shared__ unsigned int counts[bins];
  for (unsigned int bin = threadIdx.x; bin < bins; bin += blockDim.x) {
    counts[bin] = 0;
  }
  __syncthreads();

  const unsigned int thread = blockIdx.x * blockDim.x + threadIdx.x;
  const unsigned int threads = gridDim.x * blockDim.x;

  // TODO 2: how many bytes are before the first address that 16 divides? (Cast
  //         the pointer to unsigned long long to get its address.) That is the
  //         head. It must not be longer than the data.

  // TODO 3: how many whole uint4 follow? Read and count them: 16 characters a
  // load.

  // TODO 4: this loop reads one character at a time. Limit it to the head and
  // the tail.
  for (unsigned int i = thread; i < length; i += threads) {
    count(counts, data[i]);
  }
  __syncthreads();

  for (unsigned int bin = threadIdx.x; bin < bins; bin += blockDim.x) {
    if (counts[bin] > 0) {
      atomicAdd(&histo[bin], counts[bin]);
    }
  }
}
