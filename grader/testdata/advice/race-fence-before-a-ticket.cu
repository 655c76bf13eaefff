// lab: 04
// finding: data_race partial 14/21
// try: a __threadfence() after the first access and before the atomic operation that signals the other thread
__device__ unsigned int partial[65536 * 7], done;
__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  __shared__ unsigned int mine[7];
  __shared__ bool last;
  const unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
  for (unsigned int b = threadIdx.x; b < 7; b += blockDim.x) mine[b] = 0;
  __syncthreads();
  if (i < length && data[i] >= 'a' && data[i] <= 'z') atomicAdd(&mine[(data[i] - 'a') / 4], 1u);
  __syncthreads();
  if (threadIdx.x == 0) __threadfence_block();
  for (unsigned int b = threadIdx.x; b < 7; b += blockDim.x) partial[blockIdx.x * 7 + b] = mine[b];
//+   __threadfence();
  __syncthreads();
  if (threadIdx.x == 0) last = atomicAdd(&done, 1u) == gridDim.x - 1;
  __syncthreads();
  if (!last) return;
  for (unsigned int b = threadIdx.x; b < 7; b += blockDim.x)
    for (unsigned int k = 0; k < gridDim.x; ++k) histo[b] += partial[k * 7 + b];
  if (threadIdx.x == 0) done = 0;
}
