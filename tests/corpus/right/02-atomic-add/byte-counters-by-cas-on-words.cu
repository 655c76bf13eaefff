// expect: passed
// No atomicAdd for bytes: compare-and-swap on the word that holds the byte.
__device__ void add_to_byte(unsigned char* byte) {
  const unsigned long long address = (unsigned long long)byte;
  unsigned int* word = (unsigned int*)(address & ~3ull);
  const unsigned int shift = (address & 3) * 8;
  unsigned int old = *word, seen;
  do {
    seen = old;
    const unsigned int next = (seen & ~(0xffu << shift)) | ((((seen >> shift) + 1) & 0xffu) << shift);
    old = atomicCAS(word, seen, next);
  } while (old != seen);
}
__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  __shared__ __align__(4) unsigned char counts[4][8];
  for (unsigned int k = threadIdx.x; k < 8; k += blockDim.x) ((unsigned int*)counts)[k] = 0;
  __syncthreads();
  unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < length && data[i] >= 'a' && data[i] <= 'z') add_to_byte(&counts[threadIdx.x % 4][(data[i] - 'a') / 4]);
  __syncthreads();
  for (unsigned int b = threadIdx.x; b < 7; b += blockDim.x)
    atomicAdd(&histo[b], counts[0][b] + 0u + counts[1][b] + counts[2][b] + counts[3][b]);
}
