// expect: passed
// Each warp sums a bin by __reduce_add_sync over the lanes that it has.
__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  __shared__ unsigned int s[7];
  for (unsigned int b = threadIdx.x; b < 7; b += blockDim.x) s[b] = 0;
  __syncthreads();
  const unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
  const int bin = i < length && data[i] >= 'a' && data[i] <= 'z' ? (data[i] - 'a') / 4 : -1;
  const unsigned int lanes = __activemask();
  for (int b = 0; b < 7; ++b) {
    const unsigned int n = __reduce_add_sync(lanes, bin == b ? 1u : 0u);
    if (threadIdx.x % 32 == 0 && n) atomicAdd(&s[b], n);
  }
  __syncthreads();
  for (unsigned int b = threadIdx.x; b < 7; b += blockDim.x) atomicAdd(&histo[b], s[b]);
}
