// expect: passed
__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  const unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
  const int letter = i < length ? data[i] - 'a' : -1;
  for (int b = 0; b < 7; ++b) {
    const int n = __syncthreads_count(letter >= b * 4 && letter < b * 4 + 4 && letter < 26);
    if (threadIdx.x == 0 && n > 0) atomicAdd(histo + b, n);
  }
}
