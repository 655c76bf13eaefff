// expect: passed
// A thread packs its seven sums into one word, and one thread per bin adds up those of its block.
extern "C" __device__ const unsigned int coarsening_factor = 16;
__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  __shared__ unsigned long long packed[1024];
  unsigned long long mine = 0;
  const unsigned int begin = (blockIdx.x * blockDim.x + threadIdx.x) * coarsening_factor;
  for (unsigned int k = 0; k < coarsening_factor && begin + k < length; ++k) {
    const int l = data[begin + k] - 'a';
    if (l >= 0 && l < 26) mine += 1ull << (l / 4 * 8);
  }
  packed[threadIdx.x] = mine;
  __syncthreads();
  for (unsigned int b = threadIdx.x; b < 7; b += blockDim.x) {
    unsigned int sum = 0;
    for (unsigned int t = 0; t < blockDim.x; ++t) sum += packed[t] >> (b * 8) & 255;
    if (sum) atomicAdd(&histo[b], sum);
  }
}
