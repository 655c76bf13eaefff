// expect: passed
__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  size_t step = size_t(gridDim.x) * blockDim.x;
  size_t i = size_t(blockIdx.x) * blockDim.x + threadIdx.x;
  while (true) {
    if (i >= length) break;
    unsigned char c = data[i];
    if ('a' <= c && c <= 'z') atomicAdd(&histo[(c - 'a') / 4], 1u);
    i += step;
  }
}
