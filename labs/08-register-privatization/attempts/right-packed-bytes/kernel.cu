constexpr unsigned int bins = 7;

__device__ void empty(unsigned long long& packed, unsigned int (&counts)[bins]) {
  for (unsigned int b = 0; b < bins; ++b) counts[b] += packed >> 8 * b & 0xff;
  packed = 0;
}

__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  unsigned int counts[bins] = {};
  unsigned long long packed = 0;
  unsigned int in_packed = 0;
  for (unsigned int i = blockIdx.x * blockDim.x + threadIdx.x; i < length; i += gridDim.x * blockDim.x) {
    const unsigned int letter = data[i] - 'a';
    if (letter < 26) packed += 1ull << 8 * (letter / 4);
    if (++in_packed == 255) {
      empty(packed, counts);
      in_packed = 0;
    }
  }
  empty(packed, counts);
  __shared__ unsigned int block_counts[bins];
  for (unsigned int b = threadIdx.x; b < bins; b += blockDim.x) block_counts[b] = 0;
  __syncthreads();
  for (unsigned int b = 0; b < bins; ++b) atomicAdd(&block_counts[b], counts[b]);
  __syncthreads();
  for (unsigned int b = threadIdx.x; b < bins; b += blockDim.x) atomicAdd(&histo[b], block_counts[b]);
}
