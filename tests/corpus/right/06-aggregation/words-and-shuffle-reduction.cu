// expect: passed
// Counters in registers over 4-byte words, then a sum over each full warp by shuffles; odd warps add lane by lane.
__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  __shared__ unsigned int h[7];
  for (unsigned int b = threadIdx.x; b < 7; b += blockDim.x) h[b] = 0;
  __syncthreads();
  unsigned int n[7] = {};
  const unsigned int step = gridDim.x * blockDim.x, me = blockIdx.x * blockDim.x + threadIdx.x;
  const unsigned int* words = (const unsigned int*)data;
  for (unsigned int w = me; w < length / 4; w += step)
    for (unsigned int word = words[w], k = 0; k < 4; ++k, word >>= 8) {
      const unsigned int l = (word & 0xff) - 'a';
      if (l < 26) ++n[l / 4];
    }
  for (unsigned int i = length / 4 * 4 + me; i < length; i += step) {
    const unsigned int l = (unsigned char)data[i] - 'a';
    if (l < 26) ++n[l / 4];
  }
  const bool full = threadIdx.x / 32 * 32 + 32 <= blockDim.x;
  for (int b = 0; b < 7; ++b) {
    unsigned int sum = n[b];
    if (full) {
      for (int d = 16; d > 0; d /= 2) sum += __shfl_down_sync(0xffffffffu, sum, d);
      if (threadIdx.x % 32 != 0) sum = 0;
    }
    if (sum) atomicAdd(&h[b], sum);
  }
  __syncthreads();
  for (unsigned int b = threadIdx.x; b < 7; b += blockDim.x) atomicAdd(&histo[b], h[b]);
}
