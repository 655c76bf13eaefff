// expect: failed data_race again 13/18 first more
// A flag per block, volatile or not: nothing orders the test at the loop's end and the store that begins the next round.
__device__ volatile int again[1 << 16];

__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  __shared__ unsigned int mine[7];
  unsigned int pos = blockIdx.x * blockDim.x + threadIdx.x, round = 0;
  for (unsigned int k = threadIdx.x; k < 7; k += blockDim.x)
    mine[k] = 0;
  __syncthreads();
  do {
    if (threadIdx.x == 0)
      again[blockIdx.x] = round < 3 ? 1 : 0;
    __syncthreads();
    if (round == 1 && pos < length && data[pos] >= 'a' && data[pos] <= 'z')
      atomicAdd(mine + (data[pos] - 'a') / 4, 1u);
    ++round;
  } while (again[blockIdx.x]);
  __syncthreads();
  for (unsigned int k = threadIdx.x; k < 7; k += blockDim.x)
    atomicAdd(histo + k, mine[k]);
}
