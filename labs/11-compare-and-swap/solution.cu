// Lab 11, solution: eight uses of compare-and-swap and other atomic functions.
constexpr unsigned int bins = 7;
constexpr unsigned long long worth = 5000000029;  // per letter, in add_64
constexpr unsigned int most = 200;                // the limit, in add_saturating

__device__ bool is_letter(char c) { return c >= 'a' && c <= 'z'; }
__device__ unsigned int bin_of(char c) { return (c - 'a') / 4; }

// 1. All four loops have the same form: compute the new value from the value seen, and swap if the word still holds that. The
//    return value of the swap is the current value: the next guess.
__device__ void add(float* address, float value) {
  unsigned int* word = reinterpret_cast<unsigned int*>(address);
  unsigned int seen, now = *word;
  do {
    seen = now;
    now = atomicCAS(word, seen, __float_as_uint(__uint_as_float(seen) + value));
  } while (now != seen);
}

__global__ void add_float(const char* data, unsigned int length, float* histo) {
  const unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < length && is_letter(data[i])) {
    add(&histo[bin_of(data[i])], 1.0f);
  }
}

// 2.
__device__ void add(unsigned long long* address, unsigned long long value) {
  unsigned long long seen, now = *address;
  do {
    seen = now;
    now = atomicCAS(address, seen, seen + value);
  } while (now != seen);
}

__global__ void add_64(const char* data, unsigned int length, unsigned long long* histo) {
  const unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < length && is_letter(data[i])) {
    add(&histo[bin_of(data[i])], worth);
  }
}

// 3. A thread without a larger value has nothing to do. It never swaps, so no swap checks its first guess: that has to be a
//    volatile read, which may overlap other threads' swaps. (Above, a plain read was only a guess.)
__device__ void take_larger(float* address, float value) {
  unsigned int* word = reinterpret_cast<unsigned int*>(address);
  unsigned int now = *static_cast<volatile unsigned int*>(word);
  while (value > __uint_as_float(now)) {
    const unsigned int seen = now;
    now = atomicCAS(word, seen, __float_as_uint(value));
    if (now == seen) break;
  }
}

__global__ void largest_float(const char* data, unsigned int length, float* largest, unsigned int channels) {
  const unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < length) {
    take_larger(&largest[i % channels], static_cast<float>(static_cast<unsigned char>(data[i])) - 128.0f);
  }
}

// 4. The condition is part of the loop: it is tested again for each value seen.
__device__ void count_up_to(unsigned int* counter, unsigned int limit) {
  unsigned int now = *static_cast<volatile unsigned int*>(counter);
  while (now < limit) {
    const unsigned int seen = now;
    now = atomicCAS(counter, seen, seen + 1);
    if (now == seen) break;
  }
}

__global__ void add_saturating(const char* data, unsigned int length, unsigned int* histo) {
  const unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < length && is_letter(data[i])) {
    count_up_to(&histo[bin_of(data[i])], most);
  }
}

// 5. One thread of the block takes the lock and releases it: the fence makes its writes visible before the release.
__device__ unsigned int lock = 0;  // 0: free

__global__ void busiest_block(const char* data, unsigned int length, unsigned int* busiest) {
  const unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
  const unsigned int letters = __syncthreads_count(i < length && is_letter(data[i]));
  if (threadIdx.x == 0) {
    while (atomicCAS(&lock, 0u, 1u) != 0) {
    }
    __threadfence();
    if (letters > busiest[0] || (letters == busiest[0] && blockIdx.x < busiest[1])) {
      busiest[0] = letters;
      busiest[1] = blockIdx.x;
    }
    busiest[2] += 1;
    __threadfence();
    atomicExch(&lock, 0u);
  }
}

// 6. The ticket is the return value of this thread's own addition. A second read would include later additions.
__device__ unsigned int next_ticket = 0, blocks_at_end = 0;

__global__ void tickets(const char* data, unsigned int length, unsigned int* noted) {
  const unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < length && is_letter(data[i])) {
    const unsigned int ticket = atomicAdd(&next_ticket, 1u);
    atomicAdd(&noted[ticket], 1u);
  }

  __threadfence();
  __syncthreads();
  if (threadIdx.x == 0 && atomicInc(&blocks_at_end, gridDim.x - 1) == gridDim.x - 1) {
    atomicExch(&next_ticket, 0u);
  }
}

// 7. The last thread to arrive clears the counter for the next use, and only then opens the barrier by increasing the round. A
//    thread has to read the round before it arrives: afterwards it may have changed already.
struct Barrier {
  unsigned int arrived, round;
};

__device__ void wait_for_block(Barrier* barrier) {
  const unsigned int round = atomicAdd(&barrier->round, 0u);
  __threadfence_block();
  if (atomicAdd(&barrier->arrived, 1u) == blockDim.x - 1) {
    atomicExch(&barrier->arrived, 0u);
    __threadfence_block();
    atomicAdd(&barrier->round, 1u);
  } else {
    while (atomicAdd(&barrier->round, 0u) == round) {
    }
  }
  __threadfence_block();
}

__global__ void block_barrier(const char* data, unsigned int length, unsigned int* histo) {
  __shared__ unsigned int counts[bins];
  __shared__ Barrier barrier;
  if (threadIdx.x == 0) {
    barrier.arrived = 0;
    barrier.round = 0;
  }
  __syncthreads();  // the only one: after it `barrier` is initialized

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

// 8. No block waits: the block that finds all others done does the rest.
__device__ unsigned int blocks_done = 0;

__global__ void shares(const char* data, unsigned int length, unsigned int* per_mille) {
  __shared__ bool is_last;
  const unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < length && is_letter(data[i])) {
    atomicAdd(&per_mille[bin_of(data[i])], 1u);
  }

  __threadfence();
  __syncthreads();
  if (threadIdx.x == 0) {
    is_last = atomicInc(&blocks_done, gridDim.x - 1) == gridDim.x - 1;  // also resets it to 0
  }
  __syncthreads();

  if (is_last && threadIdx.x == 0) {
    __threadfence();
    unsigned int letters = 0;
    for (unsigned int bin = 0; bin < bins; ++bin) {
      letters += per_mille[bin];
    }
    for (unsigned int bin = 0; bin < bins && letters > 0; ++bin) {
      per_mille[bin] = 1000 * per_mille[bin] / letters;
    }
  }
}
