constexpr unsigned int capacity = 32768;  // counters in shared memory
extern "C" __device__ const unsigned int shared_bytes = 131072;

extern __shared__ unsigned int counts[];

__global__ void histogram_bytes(const unsigned char* data, unsigned int length, unsigned int* histo, unsigned int num_bins) {
  for (unsigned int bin = threadIdx.x; bin < num_bins; bin += blockDim.x) counts[bin] = 0;
  __syncthreads();
  for (unsigned int i = blockIdx.x * blockDim.x + threadIdx.x; i < length; i += gridDim.x * blockDim.x) {
    if (data[i] < num_bins) atomicAdd(&counts[data[i]], 1u);
  }
  __syncthreads();
  for (unsigned int bin = threadIdx.x; bin < num_bins; bin += blockDim.x) atomicAdd(&histo[bin], counts[bin]);
}

__global__ void histogram_samples(const unsigned short* data, unsigned int length, unsigned int* histo, unsigned int num_bins) {
  if (16 * (length / gridDim.x) < min(num_bins, capacity)) {
    for (unsigned int i = blockIdx.x * blockDim.x + threadIdx.x; i < length; i += gridDim.x * blockDim.x) {
      if (data[i] < num_bins) atomicAdd(histo + data[i], 1u);
    }
    return;
  }
  const unsigned int parts = num_bins > capacity ? 2 : 1, halves = gridDim.x >= parts ? 1 : parts;
  for (unsigned int half = 0; half < halves; ++half) {
    const unsigned int first = (gridDim.x >= parts ? blockIdx.x % parts : half) * capacity;
    const unsigned int members = gridDim.x >= parts ? (gridDim.x + (blockIdx.x % parts == 0 ? parts - 1 : 0)) / parts : 1;
    const unsigned int rank = gridDim.x >= parts ? blockIdx.x / parts : 0;
    for (unsigned int bin = threadIdx.x; bin < capacity; bin += blockDim.x) counts[bin] = 0;
    __syncthreads();
    for (unsigned int i = rank * blockDim.x + threadIdx.x; i < length; i += members * blockDim.x) {
      const unsigned int bin = data[i] - first;
      if (bin < capacity && data[i] < num_bins) atomicAdd(&counts[bin], 1u);
    }
    __syncthreads();
    for (unsigned int bin = threadIdx.x; bin < capacity; bin += blockDim.x) {
      if (counts[bin] != 0) atomicAdd(&histo[first + bin], counts[bin]);
    }
    __syncthreads();  // not needed: each thread zeroes the counters that it committed
  }
}
