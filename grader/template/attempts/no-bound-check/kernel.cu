__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  const unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
  const int letter = data[i] - 'a';
  if (i < length && letter >= 0 && letter < 26) {
    atomicAdd(&histo[letter / 4], 1);
  }
}
