__global__ void runs_in_words(const char* data, unsigned int length, unsigned int* histo) {
  const unsigned int threads = gridDim.x * blockDim.x;
  const unsigned int share = (length + threads - 1) / threads;
  const unsigned int first = min(length, (blockIdx.x * blockDim.x + threadIdx.x) * share);
  const unsigned int end = min(length, first + share);
  for (unsigned int i = first; i <= end; ++i) {
    const bool is_letter = i < end && data[i] >= 'a' && data[i] <= 'z';
    const unsigned int bin = is_letter ? (data[i] - 'a') / 4 : 0;
    if (is_letter) {
      atomicAdd(&histo[bin], 1u);
    }
  }
}

__global__ void thread_per_byte(const char* data, unsigned int length, unsigned int* histo) {
  const unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < length) {
    const int letter = data[i] - 'a';
    if (letter >= 0 && letter < 26) {
      atomicAdd(&histo[letter / 4], 1u);
    }
  }
}

__global__ void grid_stride(const char* data, unsigned int length, unsigned int* histo) {
  const unsigned int threads = gridDim.x * blockDim.x;
  for (unsigned int i = blockIdx.x * blockDim.x + threadIdx.x; i < length; i += threads) {
    const int letter = data[i] - 'a';
    if (letter >= 0 && letter < 26) {
      atomicAdd(&histo[letter / 4], 1u);
    }
  }
}

__global__ void compare_and_swap(const char* data, unsigned int length, unsigned int* histo) {
  const unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= length || data[i] < 'a' || data[i] > 'z') {
    return;
  }
  unsigned int* counter = &histo[(data[i] - 'a') / 4];
  bool added = false;
  while (!added) {
    const unsigned int seen = atomicAdd(counter, 0u);  // only looks
    added = atomicCAS(counter, seen, seen + 1) == seen;
  }
}

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
