// expect: passed
template <int Bins>
__device__ unsigned int* block_bins() {
  __shared__ unsigned int bins[Bins];
  return bins;
}
__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  unsigned int* mine = block_bins<7>();
  for (int b = threadIdx.x; b < 7; b += blockDim.x) mine[b] = 0;
  __syncthreads();
  const unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < length && data[i] >= 'a' && data[i] <= 'z') atomicAdd(mine + (data[i] - 'a') / 4, 1u);
  __syncthreads();
  for (int b = threadIdx.x; b < 7; b += blockDim.x) atomicAdd(histo + b, block_bins<7>()[b]);
}
