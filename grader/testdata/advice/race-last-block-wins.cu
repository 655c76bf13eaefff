// lab: 04
// finding: data_race histo 12/15
// try: combine the values in one atomic operation, such as atomicAdd
__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  __shared__ unsigned int mine[7];
  const unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
  for (unsigned int b = threadIdx.x; b < 7; b += blockDim.x) mine[b] = 0;
  __syncthreads();
  if (i < length && data[i] >= 'a' && data[i] <= 'z') atomicAdd(&mine[(data[i] - 'a') / 4], 1u);
  __syncthreads();
  if (blockIdx.x % 2 == 0) {
    if (threadIdx.x == 0) for (int b = 0; b < 7; ++b) histo[b] = mine[b];  // -
//+     if (threadIdx.x == 0) for (int b = 0; b < 7; ++b) atomicAdd(&histo[b], mine[b]);
  } else if (threadIdx.x == 0) {
    for (int b = 0; b < 7; ++b) histo[b] = mine[b];  // -
//+     for (int b = 0; b < 7; ++b) atomicAdd(&histo[b], mine[b]);
  }
}
