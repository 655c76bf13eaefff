// expect: failed deadlock status 13/19 first more
// Decoupled look-back in the wrong direction: from the following blocks.
struct Status { volatile unsigned int state; unsigned int value; };
__device__ Status status[65];
__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  for (unsigned int i = blockIdx.x * blockDim.x + threadIdx.x; i < length; i += blockDim.x * gridDim.x)
    if (data[i] >= 'a' && data[i] <= 'z') atomicAdd(&histo[(data[i] - 'a') / 4], 1u);
  __threadfence();
  __syncthreads();
  if (threadIdx.x == 0) {
    unsigned int sum = 1;
    if (blockIdx.x + 1 < gridDim.x) {
      while (status[blockIdx.x + 1].state == 0) { __nanosleep(8); }
      __threadfence();
      sum += status[blockIdx.x + 1].value;
    }
    status[blockIdx.x].value = sum;
    __threadfence();
    status[blockIdx.x].state = 1;
  }
}
