// expect: failed deadlock lock 9 whole
// The last thread keeps the lock: the next launch never gets it.
__device__ unsigned int lock, left;
__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  const unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < length && data[i] >= 'a' && data[i] <= 'z') atomicAdd(&histo[(data[i] - 'a') / 4], 1u);
  __syncthreads();
  if (threadIdx.x != 0) return;
  while (atomicCAS(&lock, 0u, 1u) != 0u) {}
  __threadfence();
  if (++left < gridDim.x) { __threadfence(); atomicExch(&lock, 0u); }
}
