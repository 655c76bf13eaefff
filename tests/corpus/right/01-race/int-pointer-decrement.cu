// expect: passed
__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  int* counts = (int*)histo;
  unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
  while (i < length) {
    int letter = data[i] - 'a';
    if (letter >= 0 && letter < 26) counts[letter / 4] -= -1;
    i += blockDim.x * gridDim.x;
  }
}
