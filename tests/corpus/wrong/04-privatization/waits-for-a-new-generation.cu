// expect: failed deadlock generation 10/9
// A barrier by atomicInc that wraps; called twice.
__device__ unsigned int count = 0, generation = 0;
__device__ __noinline__ void barrier() {
  __syncthreads();
  if (threadIdx.x == 0) {
    const unsigned int mine = atomicAdd(&generation, 0);
    __threadfence();
    if (atomicInc(&count, gridDim.x - 1) == gridDim.x - 1) atomicAdd(&generation, 1);
    else do { __nanosleep(64); } while (atomicAdd(&generation, 0) == mine);
    __threadfence();
  }
  __syncthreads();
}
__device__ unsigned int part[7];
__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  const unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < 7) part[i] = 0;
  barrier();
  if (i < length && data[i] >= 'a' && data[i] <= 'z') atomicAdd(&part[(data[i] - 'a') / 4], 1u);
  barrier();
  if (i < 7) histo[i] = part[i];
}
