__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  const unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < length) {
    const int bin = (data[i] - 'a') / 4;
    if (bin >= 0 && bin < 7) {
      atomicAdd(&histo[bin], 1u);
    }
  }
}
