// expect: passed slow=faster
// Every thread fences what it wrote; thread 0 takes the block's ticket; all threads of the last block add up, and of the seven that have a bin each
// reads one count after the other: with room for all blocks of 2^26 letters it takes 20 ms on an H100, global atomics alone 12.
__device__ unsigned int partial[2048 * 7];
__device__ unsigned int blocks_done = 0;
__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  __shared__ unsigned int h[7];
  __shared__ bool last;
  for (int b = threadIdx.x; b < 7; b += blockDim.x) h[b] = 0;
  __syncthreads();
  const unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < length && data[i] >= 'a' && data[i] <= 'z') atomicAdd(&h[(data[i] - 'a') / 4], 1u);
  __syncthreads();
  for (int b = threadIdx.x; b < 7; b += blockDim.x) partial[blockIdx.x * 7 + b] = h[b];
  __threadfence();
  __syncthreads();
  if (threadIdx.x == 0) last = atomicAdd(&blocks_done, 1u) == gridDim.x - 1;
  __syncthreads();
  if (!last) return;
  for (int b = threadIdx.x; b < 7; b += blockDim.x) {
    unsigned int sum = 0;
    for (unsigned int k = 0; k < gridDim.x; ++k) sum += partial[k * 7 + b];
    histo[b] += sum;
  }
  if (threadIdx.x == 0) blocks_done = 0;  // for the next launch
}
