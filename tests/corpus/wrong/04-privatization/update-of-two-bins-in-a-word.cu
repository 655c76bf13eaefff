// expect: failed data_race - 11/13 first says=lost
// Two bins in one 64-bit word, read, changed in a register and written back.
__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  __shared__ unsigned long long pairs[4];
  if (threadIdx.x < 4) pairs[threadIdx.x] = 0;
  __syncthreads();
  const unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
  const int letter = i < length ? data[i] - 'a' : -1;
  if (letter >= 0 && letter < 26) {
    const int bin = letter / 4;
    unsigned long long p = pairs[bin / 2];
    p += bin % 2 != 0 ? 1ull << 32 : 1ull;
    pairs[bin / 2] = p;
  }
  __syncthreads();
  for (unsigned int b = threadIdx.x; b < 7; b += blockDim.x) atomicAdd(&histo[b], (unsigned int)(pairs[b / 2] >> (b % 2 * 32)));
}
