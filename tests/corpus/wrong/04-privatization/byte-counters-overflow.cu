// expect: failed - - - check=matches_reference
// Eight bits hold 255 at most: 256 equal letters in a block overflow into the neighbour.
__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  __shared__ unsigned int packed[2];
  if (threadIdx.x == 0) packed[0] = packed[1] = 0;
  __syncthreads();
  const unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < length && data[i] >= 'a' && data[i] <= 'z') {
    const int b = (data[i] - 'a') / 4;
    atomicAdd(&packed[b / 4], 1u << (b % 4 * 8 - b / 6));
  }
  __syncthreads();
  const unsigned char* bytes = (const unsigned char*)packed;
  for (int b = threadIdx.x; b < 7; b += blockDim.x) atomicAdd(&histo[b], (unsigned int)bytes[b]);
}
