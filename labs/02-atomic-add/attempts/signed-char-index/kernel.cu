__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  const unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < length) {
    char letter = data[i];
    letter -= 'a';
    if (letter < 26) {
      atomicAdd(&histo[letter >> 2], 1);
    }
  }
}
