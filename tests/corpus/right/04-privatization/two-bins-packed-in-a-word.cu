// expect: passed
// 16-bit counters, two to a word: at most 1024 counts in each.
__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  __shared__ unsigned int packed[4];
  for (int b = threadIdx.x; b < 4; b += blockDim.x) packed[b] = 0;
  __syncthreads();
  const unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < length && data[i] >= 'a' && data[i] <= 'z') {
    const int b = (data[i] - 'a') / 4;
    atomicAdd(&packed[b >> 1], 1u << (16 * (b & 1)));
  }
  __syncthreads();
  const unsigned short* half = reinterpret_cast<const unsigned short*>(packed);
  for (int b = threadIdx.x; b < 7; b += blockDim.x) atomicAdd(&histo[b], (unsigned int)half[b]);
}
