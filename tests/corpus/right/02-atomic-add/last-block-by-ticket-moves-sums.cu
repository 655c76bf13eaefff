// expect: passed
// The block that takes the last ticket moves the sums; fences and a barrier order them.
__device__ unsigned int sums[7], ticket;
__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  __shared__ bool last;
  const unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < length && data[i] >= 'a' && data[i] <= 'z') atomicAdd(&sums[(data[i] - 'a') / 4], 1u);
  __threadfence();
  __syncthreads();
  if (threadIdx.x == 0) last = atomicInc(&ticket, gridDim.x - 1) == gridDim.x - 1;
  __syncthreads();
  if (!last) return;
  for (unsigned int b = threadIdx.x; b < 7; b += blockDim.x) histo[b] = atomicExch(&sums[b], 0u);
}
