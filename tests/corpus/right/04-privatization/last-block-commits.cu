// expect: passed
// As in the threadFenceReduction sample: every block leaves its counts in global memory, the last one to finish adds them.
__device__ unsigned int partial[1 << 18][7];
__device__ unsigned int ticket = 0;
__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  __shared__ unsigned int h[7];
  __shared__ bool last;
  for (int b = threadIdx.x; b < 7; b += blockDim.x) h[b] = 0;
  __syncthreads();
  const unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < length && data[i] >= 'a' && data[i] <= 'z') atomicAdd(&h[(data[i] - 'a') / 4], 1u);
  __syncthreads();
  if (threadIdx.x == 0) {
    for (int b = 0; b < 7; ++b) partial[blockIdx.x][b] = h[b];
    __threadfence();
    last = atomicInc(&ticket, gridDim.x - 1) == gridDim.x - 1;
  }
  __syncthreads();
  if (!last) return;
  for (unsigned int b = threadIdx.x; b < 7; b += blockDim.x) h[b] = 0;
  __syncthreads();
  volatile unsigned int(*all)[7] = partial;
  for (unsigned int k = threadIdx.x; k < gridDim.x; k += blockDim.x)
    for (int b = 0; b < 7; ++b) atomicAdd(&h[b], all[k][b]);
  __syncthreads();
  for (unsigned int b = threadIdx.x; b < 7; b += blockDim.x) histo[b] += h[b];
}
