// expect: passed
__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  __shared__ unsigned int sub[32][8];  // [warp][bin], padded to 8
  for (int w = threadIdx.x; w < 32 * 8; w += blockDim.x) sub[w >> 3][w & 7] = 0u;
  __syncthreads();
  unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < length && data[i] >= 'a' && data[i] <= 'z') atomicAdd(&sub[threadIdx.x / 32][(data[i] - 'a') / 4], 1u);
  __syncthreads();
  for (int b = threadIdx.x; b < 7; b += blockDim.x) {
    unsigned int total = 0;
    for (auto& row : sub) total += row[b];
    if (total) atomicAdd(&histo[b], total);
  }
}
