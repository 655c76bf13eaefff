// expect: passed
// Many set the flag to the same value, and all test it behind a barrier.
__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  __shared__ unsigned int mine[7];
  __shared__ volatile bool any;
  if (threadIdx.x == 0) any = false;
  for (unsigned int b = threadIdx.x; b < 7; b += blockDim.x) mine[b] = 0;
  __syncthreads();
  const unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < length && data[i] >= 'a' && data[i] <= 'z') { any = true; atomicAdd(&mine[(data[i] - 'a') / 4], 1u); }
  __syncthreads();
  if (!any) return;
  for (unsigned int b = threadIdx.x; b < 7; b += blockDim.x) atomicAdd(&histo[b], mine[b]);
}
