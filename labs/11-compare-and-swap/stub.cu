// Lab 11: compare and swap. Eight small kernels, in any order.
//
//   unsigned int old = atomicCAS(address, seen, wanted);
//
// reads *address, writes `wanted` there if the value was `seen`, and returns
// the old value, in one indivisible step.
//
//   data      length bytes of any value; letters are a to z. length may be 0
//   launch    one thread per byte, in blocks of 4 to 256 threads; there are
//             several launches in one process, and a __device__ variable keeps
//             its value from one to the next
//   output    all zero when a kernel starts, except `largest`, which holds
//             -128
constexpr unsigned int bins = 7;
constexpr unsigned long long worth = 5000000029;  // per letter, in add_64
constexpr unsigned int most = 200;  // the limit, in add_saturating

__device__ bool is_letter(char c) { return c >= 'a' && c <= 'z'; }
__device__ unsigned int bin_of(char c) { return (c - 'a') / 4; }

// Kernels 1 to 4: no atomic function but atomicCAS.

// 1. histo[b] is the number of letters in bin b, as a float.
__device__ void add(float* address, float value) {
  // TODO 1: atomicCAS compares and swaps words, not floats. __float_as_uint and
  // __uint_as_float leave the bits as they are.
}

__global__ void add_float(const char* data, unsigned int length, float* histo) {
  const unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < length && is_letter(data[i])) {
    add(&histo[bin_of(data[i])], 1.0f);
  }
}

// 2. The same with 64 bits, each letter worth 5 000 000 029.
__device__ void add(unsigned long long* address, unsigned long long value) {
  // TODO 2: there is an atomicCAS for unsigned long long.
}

__global__ void add_64(const char* data, unsigned int length, unsigned long long* histo) {
  const unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < length && is_letter(data[i])) {
    add(&histo[bin_of(data[i])], worth);
  }
}

// 3. Byte i belongs to channel i % channels, and its value is the byte (0 to
//    255) less 128. largest[c] becomes the largest value of channel c, or stays
//    at -128.
__device__ void take_larger(float* address, float value) {
  // TODO 3: do not swap if the word already holds a value at least as large.
}

__global__ void largest_float(const char* data, unsigned int length, float* largest, unsigned int channels) {
  const unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < length) {
    take_larger(&largest[i % channels], static_cast<float>(static_cast<unsigned char>(data[i])) - 128.0f);
  }
}

// 4. histo[b] counts the letters of bin b, but stops at 200, and is never
//    larger.
__device__ void count_up_to(unsigned int* counter, unsigned int limit) {
  // TODO 4
}

__global__ void add_saturating(const char* data, unsigned int length, unsigned int* histo) {
  const unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < length && is_letter(data[i])) {
    count_up_to(&histo[bin_of(data[i])], most);
  }
}

// Kernels 5 to 8: any atomic function.

// 5. busiest[0]: the largest number of letters in a block; busiest[1]: the
//    first block with that number; busiest[2]: the number of blocks (each adds
//    1).
__device__ unsigned int lock = 0;  // 0: free

__global__ void busiest_block(const char* data, unsigned int length, unsigned int* busiest) {
  const unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
  // The letters of this block.
  const unsigned int letters = __syncthreads_count(i < length && is_letter(data[i]));
  if (threadIdx.x == 0) {
    // TODO 5: take the lock, update the three words with plain reads and
    // writes, release the lock.
  }
}

// 6. Each letter draws a ticket, 0, 1, 2, ..., and notes that it has it:
//    noted[ticket] += 1. Every ticket is drawn once.
__device__ unsigned int next_ticket = 0, blocks_at_end = 0;

__global__ void tickets(const char* data, unsigned int length, unsigned int* noted) {
  const unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < length && is_letter(data[i])) {
    const unsigned int ticket = 0;  // TODO 6: draw it from next_ticket
    atomicAdd(&noted[ticket], 1u);
  }

  // Given: the last block to get here resets the counter to 0 for the next
  // launch. (atomicInc counts up to its second argument, and then begins at 0
  // again.)
  __threadfence();
  __syncthreads();
  if (threadIdx.x == 0 && atomicInc(&blocks_at_end, gridDim.x - 1) == gridDim.x - 1) {
    atomicExch(&next_ticket, 0u);
  }
}

// 7. Lab 04's kernel, with a barrier of your own.
struct Barrier {
  unsigned int arrived, round;  // or other words that you need
};

__device__ void wait_for_block(Barrier* barrier) {
  // TODO 7: replace this by atomic functions on the barrier's words.
  __syncthreads();
}

__global__ void block_barrier(const char* data, unsigned int length, unsigned int* histo) {
  __shared__ unsigned int counts[bins];
  __shared__ Barrier barrier;
  if (threadIdx.x == 0) {
    barrier.arrived = 0;
    barrier.round = 0;
  }
  __syncthreads();  // keep this one: it makes `barrier` ready for use

  for (unsigned int bin = threadIdx.x; bin < bins; bin += blockDim.x) {
    counts[bin] = 0;
  }
  wait_for_block(&barrier);

  const unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < length && is_letter(data[i])) {
    atomicAdd(&counts[bin_of(data[i])], 1u);
  }
  wait_for_block(&barrier);

  for (unsigned int bin = threadIdx.x; bin < bins; bin += blockDim.x) {
    atomicAdd(&histo[bin], counts[bin]);
  }
}

// 8. per_mille[b]: 1000 * letters of bin b / all letters of data, rounded down;
//    0 if there are none.
__device__ unsigned int blocks_done = 0;

__global__ void shares(const char* data, unsigned int length, unsigned int* per_mille) {
  const unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < length && is_letter(data[i])) {
    atomicAdd(&per_mille[bin_of(data[i])], 1u);
  }

  // TODO 8: one block has to divide when all blocks have counted. Which block
  // knows that they have?
}
