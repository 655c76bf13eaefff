// Lab 12, solution: the ten kernels, each repaired in the line that was wrong.

// 1. Each thread has one byte, or none, and counts it in global memory.
__global__ void thread_per_byte(const char* data, unsigned int length, unsigned int* histo) {
  const unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < length) {
    const int letter = data[i] - 'a';
    if (letter >= 0 && letter < 26) {
      atomicAdd(&histo[letter / 4], 1u);
    }
  }
}

// 2. A grid of any size: in each round neighbouring threads count neighbouring bytes, in global memory.
__global__ void grid_stride(const char* data, unsigned int length, unsigned int* histo) {
  const unsigned int threads = gridDim.x * blockDim.x;
  for (unsigned int i = blockIdx.x * blockDim.x + threadIdx.x; i < length; i += threads) {
    const int letter = data[i] - 'a';
    if (letter >= 0 && letter < 26) {
      atomicAdd(&histo[letter / 4], 1u);
    }
  }
}

// 3. Like 1, but adds by compare-and-swap: reads the counter, and writes one more unless another thread was faster; else tries again.
__global__ void compare_and_swap(const char* data, unsigned int length, unsigned int* histo) {
  const unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= length || data[i] < 'a' || data[i] > 'z') {
    return;
  }
  unsigned int* counter = &histo[(data[i] - 'a') / 4];
  bool added = false;
  while (!added) {
    const unsigned int seen = atomicAdd(counter, 0u);  // only reads
    added = atomicCAS(counter, seen, seen + 1) == seen;
  }
}

// 4. One byte per thread. A block counts in its own copy, in shared memory, and commits it: adds it to histo.
__global__ void private_copy(const char* data, unsigned int length, unsigned int* histo) {
  constexpr unsigned int letters = 26, letters_per_bin = 4;
  constexpr unsigned int bins = (letters + letters_per_bin - 1) / letters_per_bin;
  __shared__ unsigned int histo_s[bins];
  for (unsigned int bin = threadIdx.x; bin < bins; bin += blockDim.x) {
    histo_s[bin] = 0;
  }
  __syncthreads();

  const unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < length && data[i] >= 'a' && data[i] <= 'z') {
    atomicAdd(&histo_s[(data[i] - 'a') / letters_per_bin], 1u);
  }
  __syncthreads();

  for (unsigned int bin = threadIdx.x; bin < bins; bin += blockDim.x) {
    atomicAdd(&histo[bin], histo_s[bin]);
  }
}

// 5. All 256 values, one bin each; any grid, and a private copy for each block.
__global__ void count_bytes(const unsigned char* data, unsigned int length, unsigned int* histo) {
  __shared__ unsigned int histo_s[256];
  for (unsigned int bin = threadIdx.x; bin < 256; bin += blockDim.x) {
    histo_s[bin] = 0;
  }
  __syncthreads();

  for (unsigned int i = blockIdx.x * blockDim.x + threadIdx.x; i < length; i += gridDim.x * blockDim.x) {
    atomicAdd(&histo_s[data[i]], 1u);
  }
  __syncthreads();

  for (unsigned int bin = threadIdx.x; bin < 256; bin += blockDim.x) {
    atomicAdd(&histo[bin], histo_s[bin]);
  }
}

// 6. Each block has a chunk of the data. Its threads stride through the chunk, and the block commits its copy.
__global__ void chunk_per_block(const char* data, unsigned int length, unsigned int* histo) {
  constexpr unsigned int bins = 7;
  __shared__ unsigned int histo_s[bins];
  for (unsigned int bin = threadIdx.x; bin < bins; bin += blockDim.x) {
    histo_s[bin] = 0;
  }
  __syncthreads();

  const unsigned int chunk = (length + gridDim.x - 1) / gridDim.x;
  const unsigned int end = min(length, (blockIdx.x + 1) * chunk);
  for (unsigned int i = blockIdx.x * chunk + threadIdx.x; i < end; i += blockDim.x) {
    const int letter = data[i] - 'a';
    if (letter >= 0 && letter < 26) {
      atomicAdd(&histo_s[letter / 4], 1u);
    }
  }
  __syncthreads();

  for (unsigned int bin = threadIdx.x; bin < bins; bin += blockDim.x) {
    atomicAdd(&histo[bin], histo_s[bin]);
  }
}

// 7. Aggregation: a thread counts a run of equal bins in a register, and flushes it into the block's copy when another bin comes
//    and at the end. A byte that is not a letter does not end a run.
__global__ void runs_in_blocks(const char* data, unsigned int length, unsigned int* histo) {
  constexpr unsigned int bins = 7;
  __shared__ unsigned int histo_s[bins];
  for (unsigned int bin = threadIdx.x; bin < bins; bin += blockDim.x) {
    histo_s[bin] = 0;
  }
  __syncthreads();

  unsigned int accumulator = 0;
  int previous_bin = -1;  // no letter yet
  for (unsigned int i = blockIdx.x * blockDim.x + threadIdx.x; i < length; i += gridDim.x * blockDim.x) {
    const int letter = data[i] - 'a';
    if (letter >= 0 && letter < 26) {
      const int bin = letter / 4;
      if (bin == previous_bin) {
        ++accumulator;
      } else {
        if (accumulator > 0) {
          atomicAdd(&histo_s[previous_bin], accumulator);
        }
        accumulator = 1;
        previous_bin = bin;
      }
    }
  }
  if (accumulator > 0) {
    atomicAdd(&histo_s[previous_bin], accumulator);
  }
  __syncthreads();

  for (unsigned int bin = threadIdx.x; bin < bins; bin += blockDim.x) {
    atomicAdd(&histo[bin], histo_s[bin]);
  }
}

// 8. Aggregation as in 7, but each thread has a share of neighbouring bytes, so that its runs are longer.
__global__ void runs_in_shares(const char* data, unsigned int length, unsigned int* histo) {
  constexpr unsigned int bins = 7;
  __shared__ unsigned int histo_s[bins];
  for (unsigned int bin = threadIdx.x; bin < bins; bin += blockDim.x) {
    histo_s[bin] = 0;
  }
  __syncthreads();

  const unsigned int threads = gridDim.x * blockDim.x;
  const unsigned int share = (length + threads - 1) / threads;
  const unsigned int first = (blockIdx.x * blockDim.x + threadIdx.x) * share;
  unsigned int accumulator = 0;
  int previous_bin = 0;
  for (unsigned int i = first; i < first + share && i < length; ++i) {
    const int letter = data[i] - 'a';
    if (letter >= 0 && letter < 26) {
      const int bin = letter / 4;
      if (bin != previous_bin) {
        if (accumulator > 0) {
          atomicAdd(&histo_s[previous_bin], accumulator);
        }
        accumulator = 0;
        previous_bin = bin;
      }
      ++accumulator;
    }
  }
  if (accumulator > 0) {
    atomicAdd(&histo_s[previous_bin], accumulator);
  }
  __syncthreads();

  for (unsigned int bin = threadIdx.x; bin < bins; bin += blockDim.x) {
    atomicAdd(&histo[bin], histo_s[bin]);
  }
}

// 9. Aggregation without a private copy: runs are flushed into global memory. A byte that is not a letter does not end a run.
__global__ void runs_to_global(const char* data, unsigned int length, unsigned int* histo) {
  unsigned int accumulator = 0;
  int previous_bin = -1;  // no letter yet
  for (unsigned int i = blockIdx.x * blockDim.x + threadIdx.x; i < length; i += gridDim.x * blockDim.x) {
    const int letter = data[i] - 'a';
    if (letter >= 0 && letter < 26) {
      const int bin = letter / 4;
      if (bin != previous_bin) {
        if (accumulator > 0) {
          atomicAdd(&histo[previous_bin], accumulator);
        }
        accumulator = 1;
        previous_bin = bin;
      } else {
        ++accumulator;
      }
    }
  }
  if (accumulator > 0) {
    atomicAdd(&histo[previous_bin], accumulator);
  }
}

// 10. Aggregation of text, in shares as in 8 and into global memory as in 9. A byte that is not a letter ends a run, and so do
//     another bin and the end of the share. Each run is added once. If there is no run, nothing is added.
__global__ void runs_in_words(const char* data, unsigned int length, unsigned int* histo) {
  const unsigned int threads = gridDim.x * blockDim.x;
  const unsigned int share = (length + threads - 1) / threads;
  const unsigned int first = min(length, (blockIdx.x * blockDim.x + threadIdx.x) * share);
  const unsigned int end = min(length, first + share);
  unsigned int accumulator = 0;
  unsigned int previous_bin = 0;
  for (unsigned int i = first; i <= end; ++i) {
    const bool is_letter = i < end && data[i] >= 'a' && data[i] <= 'z';
    const unsigned int bin = is_letter ? (data[i] - 'a') / 4 : 0;
    if (!is_letter || bin != previous_bin) {
      if (accumulator > 0) {
        atomicAdd(&histo[previous_bin], accumulator);
      }
      accumulator = 0;
    }
    if (is_letter) {
      ++accumulator;
      previous_bin = bin;
    }
  }
}
