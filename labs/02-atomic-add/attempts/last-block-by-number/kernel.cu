__device__ unsigned int sums[7];

__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  const unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < length) {
    const int letter = data[i] - 'a';
    if (letter >= 0 && letter < 26) {
      atomicAdd(&sums[letter / 4], 1u);
    }
  }
  __syncthreads();
  if (blockIdx.x == gridDim.x - 1) {
    for (unsigned int bin = threadIdx.x; bin < 7; bin += blockDim.x) {
      histo[bin] = atomicExch(&sums[bin], 0u);
    }
  }
}
