// lab: 04
// finding: data_race last 14/15
// try: Make the test and the write one indivisible step, for example atomicMax
__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  __shared__ unsigned int mine[7], last;
  const unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (threadIdx.x < 7) mine[threadIdx.x] = 0;
  if (threadIdx.x == 0) last = 0;
  __syncthreads();
  for (unsigned int b = threadIdx.x; b < 7; b += blockDim.x) mine[b] = 0;
  __syncthreads();
  if (i < length && data[i] >= 'a' && data[i] <= 'z') {
    atomicAdd(&mine[(data[i] - 'a') / 4], 1u);
    if (last < threadIdx.x + 1)  // -
      last = threadIdx.x + 1;  // -
//+     atomicMax(&last, threadIdx.x + 1);
  }
  __syncthreads();
  if (last > 0)
    for (unsigned int b = threadIdx.x; b < 7; b += blockDim.x) atomicAdd(&histo[b], mine[b]);
}
