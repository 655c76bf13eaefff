__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  const unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < length) {
    if (data[i] >= 'a' && data[i] <= 'a' + 26) {
      atomicAdd(&histo[(data[i] - 'a') / 4], 1u);
    }
  }
}
