// expect: failed data_race mine 12 first says=lost
// All threads store the same chunk number, which is harmless and comes first; the count in another array is the mistake.
__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  __shared__ unsigned int mine[7], base;
  base = blockIdx.x * blockDim.x;
  for (unsigned int b = threadIdx.x; b < 7; b += blockDim.x) mine[b] = 0;
  __syncthreads();
  const unsigned int i = base + threadIdx.x;
  if (i < length) {
    const char c = data[i];
    if (c >= 'a' && c <= 'z')
      mine[(c - 'a') / 4] += 1;
  }
  __syncthreads();
  for (unsigned int b = threadIdx.x; b < 7; b += blockDim.x) atomicAdd(&histo[b], mine[b]);
}
