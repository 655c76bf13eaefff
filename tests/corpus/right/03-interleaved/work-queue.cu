// expect: passed
// Warps fetch the next row of the data from a counter instead of striding; reset by the last block.
__device__ unsigned int next_row;
__device__ unsigned int blocks_done;
__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  __shared__ unsigned int row;
  for (;;) {
    if (threadIdx.x == 0) row = atomicAdd(&next_row, 1u);
    __syncthreads();
    const unsigned int base = row * blockDim.x;
    __syncthreads();
    if (base >= length) break;
    const unsigned int i = base + threadIdx.x;
    if (i < length) {
      const int l = data[i] - 'a';
      if (l >= 0 && l < 26) atomicAdd(&histo[l / 4], 1u);
    }
  }
  if (threadIdx.x == 0 && atomicAdd(&blocks_done, 1u) == gridDim.x - 1) {
    atomicExch(&blocks_done, 0u);
    atomicExch(&next_row, 0u);
  }
}
