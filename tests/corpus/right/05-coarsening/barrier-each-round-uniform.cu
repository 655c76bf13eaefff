// expect: passed
// A barrier in a loop whose trip count is the same for all threads of the block.
__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  __shared__ unsigned int h[7];
  __shared__ char tile[256];
  for (unsigned int b = threadIdx.x; b < 7; b += blockDim.x) h[b] = 0;
  __syncthreads();  // not needed: the loop has one before its first addition
  for (int round = 0; round < 8; ++round) {
    const unsigned int i = (blockIdx.x * 8 + round) * blockDim.x + threadIdx.x;
    tile[threadIdx.x] = i < length ? data[i] : '\n';
    __syncthreads();
    const int l = tile[threadIdx.x ^ (threadIdx.x + 1 < blockDim.x || threadIdx.x % 2 ? 1 : 0)] - 'a';
    if (l >= 0 && l < 26) atomicAdd(&h[l / 4], 1u);
    __syncthreads();
  }
  for (unsigned int b = threadIdx.x; b < 7; b += blockDim.x) atomicAdd(&histo[b], h[b]);
}
