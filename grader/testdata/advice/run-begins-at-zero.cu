// lab: 06
// finding: none - -
// try: Does each run begin at 1, not at 0?
__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  __shared__ unsigned int mine[7];
  for (unsigned int b = threadIdx.x; b < 7; b += blockDim.x) mine[b] = 0;
  __syncthreads();
  unsigned int run = 0, bin = 7;
  for (unsigned int i = blockIdx.x * blockDim.x + threadIdx.x; i < length; i += gridDim.x * blockDim.x) {
    const unsigned int letter = data[i] - 'a';
    if (letter >= 26) continue;
    if (letter / 4 == bin) {
      ++run;
      continue;
    }
    if (bin < 7) atomicAdd(&mine[bin], run);
    bin = letter / 4;
    run = 0;  // -
//+     run = 1;
  }
  if (bin < 7) atomicAdd(&mine[bin], run);
  __syncthreads();
  for (unsigned int b = threadIdx.x; b < 7; b += blockDim.x) atomicAdd(&histo[b], mine[b]);
}
