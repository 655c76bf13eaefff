// expect: failed - - - check=no_findings explains=ascending
// A volatile view of sums, copied by the last block's first warp, then subtracted.
__device__ unsigned int total[7];
__device__ bool is_last() { return blockIdx.x == gridDim.x - 1; }
__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  for (unsigned int i = blockIdx.x * blockDim.x + threadIdx.x; i < length; i += gridDim.x * blockDim.x)
    if (data[i] >= 'a' && data[i] <= 'z') atomicAdd(&total[(data[i] - 'a') / 4], 1u);
  __syncthreads();
  __threadfence();
  if (is_last() && threadIdx.x == 0) {
    for (volatile unsigned int* t = total; t != total + 7; ++t) {
      const unsigned int n = *t;
      histo[t - total] = n;
      atomicSub(const_cast<unsigned int*>(t), n);
    }
  }
}
