// expect: passed
// Each block waits for the one that has taken the ticket before: that one runs, whatever its number.
__device__ unsigned int tickets, serving;
__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  if (threadIdx.x == 0) {
    const unsigned int mine = atomicAdd(&tickets, 1u);
    while (atomicAdd(&serving, 0u) != mine) __nanosleep(20);
    __threadfence();
  }
  __syncthreads();
  const unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < length && data[i] >= 'a' && data[i] <= 'z') atomicAdd(&histo[(data[i] - 'a') / 4], 1u);
  __syncthreads();
  if (threadIdx.x == 0) {
    __threadfence();
    atomicAdd(&serving, 1u);
  }
}
