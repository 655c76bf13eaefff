// expect: failed deadlock ready 11/16
// A chain: each block waits for the block behind it; the last one begins.
__device__ int ready[8193];
__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  __shared__ unsigned int mine[7];
  const unsigned int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
  for (unsigned int b = t; b < 7; b += blockDim.x) mine[b] = 0;
  __syncthreads();
  if (i < length && data[i] >= 'a' && data[i] <= 'z') atomicAdd(&mine[(data[i] - 'a') / 4], 1u);
  __syncthreads();
  if (t == 0 && blockIdx.x + 1 < gridDim.x) while (atomicCAS(&ready[blockIdx.x + 1], 1, 0) != 1) __nanosleep(32);
  __syncthreads();
  for (unsigned int b = t; b < 7; b += blockDim.x) atomicAdd(&histo[b], mine[b]);
  __threadfence();
  __syncthreads();
  if (t == 0 && blockIdx.x > 0) atomicExch(&ready[blockIdx.x], 1);
}
