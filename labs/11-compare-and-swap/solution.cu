// Lab 11, solution: what can be made of one compare-and-swap.
constexpr unsigned int bins = 7;
constexpr unsigned long long worth = 5000000029;  // of a letter, in add_64
constexpr unsigned int most = 200;                // where counters stop, in add_saturating

__device__ bool is_letter(char c) { return c >= 'a' && c <= 'z'; }
__device__ unsigned int bin_of(char c) { return (c - 'a') / 4; }

// 1. All four loops are the same: compute the new value from what was seen, and swap it in if that is still there. What the
//    swap returns is what is there now: the next guess.
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

// 3. Whoever has nothing larger has nothing to do. He never swaps, so that no swap looks at his first guess again: it has to be
//    a volatile read, which may meet other threads' swaps. (Above, a plain read was only a guess.)
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

// 4. The condition is part of the loop: it is asked anew of each value that is seen.
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

// 5. One thread of the block takes the lock, and gives it back: what it wrote is told before (the fence), not after.
__device__ unsigned int lock = 0;  // 0: nobody has it

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

// 6. The ticket is what this thread's own addition returned. Who looks again sees what others have added since.
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

// 7. Whoever comes last clears the counter for the next time, and only then opens the barrier by counting the rounds. The
//    round has to be read before one arrives: afterwards it may have changed already.
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
  __syncthreads();  // the only one: before it nobody knows what is in `barrier`

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

// 8. Nobody waits: the block that finds all others done does the rest.
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
    is_last = atomicInc(&blocks_done, gridDim.x - 1) == gridDim.x - 1;  // which makes it 0 again
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
