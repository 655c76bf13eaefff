__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  volatile unsigned int* fresh_histo = histo;
  const unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < length) {
    const int letter = data[i] - 'a';
    if (letter >= 0 && letter < 26) {
      fresh_histo[letter / 4] = fresh_histo[letter / 4] + 1;
    }
  }
}
