__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  const unsigned int threads = gridDim.x * blockDim.x;
  unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
  do {
    const char c = data[i];
    if ('a' <= c && c <= 'z') {
      atomicAdd(&histo[(c - 'a') / 4], 1u);
    }
    i += threads;
  } while (i < length);
}
