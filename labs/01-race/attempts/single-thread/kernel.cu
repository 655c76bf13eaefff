__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  if (blockIdx.x == 0 && threadIdx.x == 0) {
    for (unsigned int i = 0; i < length; ++i) {
      const int letter = data[i] - 'a';
      if (letter >= 0 && letter < 26) {
        histo[letter / 4]++;
      }
    }
  }
}
