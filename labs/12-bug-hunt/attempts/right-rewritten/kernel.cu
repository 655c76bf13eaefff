__device__ int bin_of(char c) {
  return c < 'a' || c > 'z' ? -1 : (c - 'a') >> 2;
}

__device__ void add(unsigned int* counters, int bin, unsigned int count) {
  if (bin >= 0 && count > 0) atomicAdd(counters + bin, count);
}

__device__ void zero(unsigned int* counters, unsigned int bins) {
  for (unsigned int bin = threadIdx.x; bin < bins; bin += blockDim.x) counters[bin] = 0;
  __syncthreads();
}

__device__ void commit(const unsigned int* counters, unsigned int* histo, unsigned int bins) {
  __syncthreads();
  for (unsigned int bin = threadIdx.x; bin < bins; bin += blockDim.x) add(histo, static_cast<int>(bin), counters[bin]);
}

// Counts the bytes first, first + step, ... below end, run by run.
__device__ void count_runs(const char* data, unsigned int first, unsigned int end, unsigned int step, unsigned int* counters) {
  int of = -1;
  unsigned int run = 0;
  for (unsigned int i = first; i < end; i += step) {
    const int bin = bin_of(data[i]);
    if (bin < 0) continue;
    if (bin != of) {
      add(counters, of, run);
      of = bin, run = 0;
    }
    ++run;
  }
  add(counters, of, run);
}

__global__ void thread_per_byte(const char* data, unsigned int length, unsigned int* histo) {
  const unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < length) add(histo, bin_of(data[i]), 1);
}

__global__ void grid_stride(const char* data, unsigned int length, unsigned int* histo) {
  for (unsigned int i = blockIdx.x * blockDim.x + threadIdx.x; i < length; i += gridDim.x * blockDim.x) add(histo, bin_of(data[i]), 1);
}

__global__ void compare_and_swap(const char* data, unsigned int length, unsigned int* histo) {
  const unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
  const int bin = i < length ? bin_of(data[i]) : -1;
  if (bin < 0) return;
  for (unsigned int guess = 0;;) {
    const unsigned int found = atomicCAS(&histo[bin], guess, guess + 1);
    if (found == guess) break;
    guess = found;
  }
}

__global__ void private_copy(const char* data, unsigned int length, unsigned int* histo) {
  __shared__ unsigned int own[7];
  zero(own, 7);
  const unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < length) add(own, bin_of(data[i]), 1);
  commit(own, histo, 7);
}

__global__ void count_bytes(const unsigned char* data, unsigned int length, unsigned int* histo) {
  __shared__ unsigned int own[256];
  zero(own, 256);
  for (unsigned int i = blockIdx.x * blockDim.x + threadIdx.x; i < length; i += gridDim.x * blockDim.x) add(own, data[i], 1);
  commit(own, histo, 256);
}

__global__ void chunk_per_block(const char* data, unsigned int length, unsigned int* histo) {
  __shared__ unsigned int own[7];
  zero(own, 7);
  const unsigned int chunk = length / gridDim.x + 1, first = min(length, blockIdx.x * chunk);
  for (unsigned int i = first + threadIdx.x; i < min(length, first + chunk); i += blockDim.x) add(own, bin_of(data[i]), 1);
  commit(own, histo, 7);
}

__global__ void runs_in_blocks(const char* data, unsigned int length, unsigned int* histo) {
  __shared__ unsigned int own[7];
  zero(own, 7);
  count_runs(data, blockIdx.x * blockDim.x + threadIdx.x, length, gridDim.x * blockDim.x, own);
  commit(own, histo, 7);
}

__global__ void runs_in_shares(const char* data, unsigned int length, unsigned int* histo) {
  __shared__ unsigned int own[7];
  zero(own, 7);
  const unsigned int share = length / (gridDim.x * blockDim.x) + 1, first = (blockIdx.x * blockDim.x + threadIdx.x) * share;
  count_runs(data, first, min(length, first + share), 1, own);
  commit(own, histo, 7);
}

__global__ void runs_to_global(const char* data, unsigned int length, unsigned int* histo) {
  count_runs(data, blockIdx.x * blockDim.x + threadIdx.x, length, gridDim.x * blockDim.x, histo);
}

__global__ void runs_in_words(const char* data, unsigned int length, unsigned int* histo) {
  const unsigned int share = length / (gridDim.x * blockDim.x) + 1, first = (blockIdx.x * blockDim.x + threadIdx.x) * share;
  count_runs(data, first, min(length, first + share), 1, histo);
}
