// expect: failed deadlock bar 16/14
// A barrier for the grid with a sense that flips.
struct Barrier { unsigned int count; volatile unsigned int sense; };
__device__ Barrier bar;
__device__ unsigned int sums[7];
__device__ void grid_barrier(Barrier* b) {
  __syncthreads();
  if (threadIdx.x == 0) {
    const unsigned int sense = b->sense;
    __threadfence();
    if (atomicAdd(&b->count, 1u) == gridDim.x - 1) {
      b->count = 0;
      __threadfence();
      b->sense = !sense;
    } else {
      while (b->sense == sense) ;
    }
    __threadfence();
  }
  __syncthreads();
}
__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  const unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < length && data[i] >= 'a' && data[i] <= 'z') atomicAdd(&sums[(data[i] - 'a') / 4], 1u);
  grid_barrier(&bar);
  if (blockIdx.x == 0 && threadIdx.x < 7) histo[threadIdx.x] = atomicExch(&sums[threadIdx.x], 0u);
}
