// expect: passed
// 28 bytes as eight-bit counters: four copies of seven, one copy per lane modulo 4; needs at most 64 threads each.
__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  __shared__ unsigned int words[4][7];
  unsigned char* bytes = (unsigned char*)words;
  for (unsigned int k = threadIdx.x; k < sizeof words; k += blockDim.x) bytes[k] = 0;
  __syncthreads();
  const unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < length && data[i] >= 'a' && data[i] <= 'z') atomicAdd(&words[threadIdx.x & 3][(data[i] - 'a') / 4], 1u);
  __syncthreads();
  for (unsigned int b = threadIdx.x; b < 7; b += blockDim.x)
    atomicAdd(&histo[b], words[0][b] + words[1][b] + words[2][b] + words[3][b]);
}
