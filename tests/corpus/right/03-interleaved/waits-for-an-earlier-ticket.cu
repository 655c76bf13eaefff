// expect: passed
// Ordered by tickets: who waits, waits for one that has begun.
__device__ unsigned int ticket, served;
__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  __shared__ unsigned int mine;
  if (threadIdx.x == 0) mine = atomicAdd(&ticket, 1u);
  __syncthreads();  // not needed: one thread uses `mine`
  for (unsigned int i = blockIdx.x * blockDim.x + threadIdx.x; i < length; i += blockDim.x * gridDim.x)
    if (data[i] >= 'a' && data[i] <= 'z') atomicAdd(&histo[(data[i] - 'a') / 4], 1u);
  __syncthreads();  // not needed: each addition is atomic
  if (threadIdx.x == 0) {
    while (atomicAdd(&served, 0u) != mine) __nanosleep(20);
    atomicAdd(&served, 1u);
  }
}
