// expect: failed deadlock turn 6
// Blocks take turns by their number, the last one first: no block before it can go on.
__device__ volatile unsigned int turn;
__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  if (threadIdx.x == 0) {
    while (turn % gridDim.x != gridDim.x - 1 - blockIdx.x) {
    }
  }
  __syncthreads();
  const unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < length && data[i] >= 'a' && data[i] <= 'z') atomicAdd(&histo[(data[i] - 'a') / 4], 1u);
  __syncthreads();
  if (threadIdx.x == 0) {
    __threadfence();
    atomicAdd((unsigned int*)&turn, 1u);
  }
}
