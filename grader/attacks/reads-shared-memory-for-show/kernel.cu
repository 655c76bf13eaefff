__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  __shared__ volatile unsigned int numbers[1024];
  numbers[threadIdx.x] = threadIdx.x;
  unsigned int counts[7] = {};
  for (unsigned int i = blockIdx.x * blockDim.x + threadIdx.x; i < length; i += gridDim.x * blockDim.x)
    for (int bin = 0; bin < 7; ++bin) {
      const char low = static_cast<char>('a' + 4 * bin), high = bin == 6 ? 'z' : low + 3;
      counts[bin] += data[i] >= low && data[i] <= high;
    }
  const unsigned int dropped = numbers[threadIdx.x];
  static_cast<void>(dropped);
#pragma unroll
  for (int bin = 0; bin < 7; ++bin)
    if (const int all = __syncthreads_or(counts[bin] != 0); all != 0) {
      unsigned int sum = counts[bin];
      const unsigned int here = __activemask();
      sum = __reduce_add_sync(here, sum);
      if (threadIdx.x % 32 == 0) atomicAdd(&histo[bin], sum);
    }
}
