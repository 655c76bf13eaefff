constexpr unsigned int most_bins = 65536;
extern "C" __device__ const unsigned int shared_bytes = most_bins * 2;

extern __shared__ unsigned int counts[];

__device__ void zero(unsigned int bins) {
  for (unsigned int bin = threadIdx.x; bin < bins; bin += blockDim.x) {
    counts[bin] = 0;
  }
  __syncthreads();
}

// Each thread looks at the counters that it zeroes, so those of the next part need no barrier behind this.
__device__ void commit(unsigned int* histo, unsigned int bins) {
  __syncthreads();
  for (unsigned int bin = threadIdx.x; bin < bins; bin += blockDim.x) {
    if (counts[bin] > 0) {
      atomicAdd(&histo[bin], counts[bin]);
    }
  }
}

__global__ void histogram_bytes(const unsigned char* data, unsigned int length, unsigned int* histo, unsigned int num_bins) {
  zero(num_bins);
  const unsigned int thread = blockIdx.x * blockDim.x + threadIdx.x, threads = gridDim.x * blockDim.x;
  const uint4* sixteens = reinterpret_cast<const uint4*>(data);
  for (unsigned int i = thread; i < length / 16; i += threads) {
    const uint4 words = sixteens[i];
    const unsigned int four[] = {words.x, words.y, words.z, words.w};
    for (const unsigned int word : four) {
      for (unsigned int shift = 0; shift < 32; shift += 8) {
        const unsigned int bin = word >> shift & 0xff;
        if (bin < num_bins) atomicAdd(&counts[bin], 1u);
      }
    }
  }
  for (unsigned int i = length / 16 * 16 + thread; i < length; i += threads) {
    if (data[i] < num_bins) atomicAdd(&counts[data[i]], 1u);
  }
  commit(histo, num_bins);
}

__global__ void histogram_samples(const unsigned short* data, unsigned int length, unsigned int* histo, unsigned int num_bins) {
  if (length / gridDim.x < 4096) {
    for (unsigned int i = blockIdx.x * blockDim.x + threadIdx.x; i < length; i += gridDim.x * blockDim.x) {
      if (data[i] < num_bins) atomicAdd(&histo[data[i]], 1u);
    }
    return;
  }
  const unsigned int words = (num_bins + 1) / 2, most = 65535;
  const unsigned int share = (length + gridDim.x - 1) / gridDim.x;
  const unsigned int end = min(length, (blockIdx.x + 1) * share);
  for (unsigned int begin = blockIdx.x * share; begin < end; begin += most) {
    zero(words);
    for (unsigned int i = begin + threadIdx.x; i < min(end, begin + most); i += blockDim.x) {
      const unsigned int bin = data[i];
      if (bin < num_bins) atomicAdd(&counts[bin / 2], bin % 2 == 0 ? 1u : 1u << 16);
    }
    __syncthreads();
    for (unsigned int w = threadIdx.x; w < words; w += blockDim.x) {
      const unsigned int low = counts[w] & 0xffff, high = counts[w] >> 16;
      if (low > 0) atomicAdd(&histo[2 * w], low);
      if (high > 0) atomicAdd(&histo[2 * w + 1], high);
    }
    __syncthreads();  // not needed: each thread zeroes the counters that it committed
  }
}
