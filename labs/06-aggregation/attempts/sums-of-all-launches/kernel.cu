static __device__ unsigned int all_blocks[7];
__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  __shared__ unsigned int s[7];
  for (unsigned int b = threadIdx.x; b < 7; b += blockDim.x) s[b] = 0;
  __syncthreads();
  unsigned int run = 0;
  int bin = -1;
  for (unsigned int i = blockIdx.x * blockDim.x + threadIdx.x; i < length; i += gridDim.x * blockDim.x) {
    const int letter = data[i] - 'a';
    if (letter < 0 || letter >= 26) continue;
    if (letter / 4 == bin) {
      ++run;
      continue;
    }
    if (bin >= 0) atomicAdd(&s[bin], run);
    bin = letter / 4, run = 1;
  }
  if (bin >= 0) atomicAdd(&s[bin], run);
  __syncthreads();
  for (unsigned int b = threadIdx.x; b < 7; b += blockDim.x) {
    const unsigned int before = atomicAdd(&all_blocks[b], s[b]);
    atomicMax(&histo[b], before + s[b]);
  }
}
