// expect: failed data_race full 4/3 first more
// Test and store of the flag are in helper functions; between the test of one round and the store of the next is no barrier.
__device__ void set(int* flag) { *flag = 1; }
__device__ bool is_set(const int* flag) { return *flag != 0; }
__device__ void flush(unsigned int* from, unsigned int* to) {
  for (int k = threadIdx.x; k < 7; k += blockDim.x) atomicAdd(to + k, atomicExch(from + k, 0u));
}

__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  __shared__ unsigned int mine[7];
  __shared__ int full;
  const unsigned int tid = threadIdx.x, block_size = blockDim.x;
  for (unsigned int k = tid; k < 7; k += block_size) mine[k] = 0;
  if (tid == 0) full = 0;
  __syncthreads();
  unsigned int i = blockIdx.x * block_size + tid, round = 0;
  while (round < 4) {
    if (round == 1 + tid % 3) set(&full);
    __syncthreads();
    if (is_set(&full)) {
      __syncthreads();
      flush(mine, histo);
      if (tid == 0) full = 0;
      __syncthreads();
    }
    if (round == 2 && i < length && data[i] >= 'a' && data[i] <= 'z') atomicAdd(&mine[(data[i] - 'a') / 4], 1u);
    round++;
  }
  __syncthreads();
  flush(mine, histo);
}
