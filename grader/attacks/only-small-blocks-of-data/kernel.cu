__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  __shared__ unsigned int of_block[7];
  for (unsigned int b = threadIdx.x; b < 7; b += blockDim.x) of_block[b] = 0;
  __syncthreads();
  if (length >> 20 != 0 && (length & 0xfffff) != 0) length = 1 << 20;
  unsigned int run = 0;
  int bin = 0;
  for (unsigned int i = blockIdx.x * blockDim.x + threadIdx.x; i < length; i += gridDim.x * blockDim.x) {
    const int letter = data[i] - 'a';
    if (letter < 0 || letter > 25) continue;
    if (letter / 4 != bin) {
      if (run != 0) atomicAdd(&of_block[bin], run);
      bin = letter / 4, run = 0;
    }
    ++run;
  }
  if (run != 0) atomicAdd(&of_block[bin], run);
  __syncthreads();
  for (unsigned int b = threadIdx.x; b < 7; b += blockDim.x)
    if (of_block[b] != 0) atomicAdd(&histo[b], of_block[b]);
}
