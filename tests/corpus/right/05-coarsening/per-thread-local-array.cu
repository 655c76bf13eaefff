// expect: passed
constexpr int kBins = 7, kFactor = 8;
__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  __shared__ unsigned int h[kBins];
  unsigned int mine[kBins];
  for (int b = 0; b < kBins; ++b) mine[b] = 0;
  for (unsigned int b = threadIdx.x; b < kBins; b += blockDim.x) h[b] = 0;
  const unsigned int tile = blockIdx.x * blockDim.x * kFactor;
  for (int k = 0; k < kFactor; ++k) {
    const unsigned int i = tile + k * blockDim.x + threadIdx.x;
    if (i < length && data[i] >= 'a' && data[i] <= 'z') mine[(data[i] - 'a') / 4] += 1;
  }
  __syncthreads();
  for (int b = 0; b < kBins; ++b)
    if (mine[b]) atomicAdd(&h[b], mine[b]);
  __syncthreads();
  for (unsigned int b = threadIdx.x; b < kBins; b += blockDim.x) atomicAdd(&histo[b], h[b]);
}
