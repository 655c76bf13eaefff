__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  if (blockIdx.x == 0) {
    for (unsigned int bin = threadIdx.x; bin < 7; bin += blockDim.x) {
      atomicExch(&histo[bin], 0u);
    }
  }
  __syncthreads();
  const unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < length) {
    const int letter = data[i] - 'a';
    if (letter >= 0 && letter < 26) {
      atomicAdd(&histo[letter / 4], 1u);
    }
  }
}
