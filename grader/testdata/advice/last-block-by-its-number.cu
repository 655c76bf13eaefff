// lab: 02
// finding: none - -
// try: After __threadfence() and __syncthreads(), let the block with the last ticket do the work that needs the others
__device__ unsigned int sums[7];
//+ __device__ unsigned int tickets;
__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  const unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < length && data[i] >= 'a' && data[i] <= 'z') atomicAdd(&sums[(data[i] - 'a') / 4], 1u);
//+   __shared__ bool last;
//+   __threadfence();
  __syncthreads();
//+   if (threadIdx.x == 0) last = atomicInc(&tickets, gridDim.x - 1) == gridDim.x - 1;
//+   __syncthreads();
  const bool last = blockIdx.x == gridDim.x - 1;  // -
  for (unsigned int b = threadIdx.x; last && b < 7; b += blockDim.x) {
    const unsigned int sum = atomicAdd(&sums[b], 0u);
    histo[b] = sum;
    atomicSub(&sums[b], sum);
  }
}
