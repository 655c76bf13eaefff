__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  unsigned int accumulator = 0;
  int previous_bin = -1;
  for (unsigned int i = blockIdx.x * blockDim.x + threadIdx.x; i < length; i += gridDim.x * blockDim.x) {
    const int letter = data[i] - 'a';
    if (letter >= 0 && letter < 26) {
      const int bin = letter / 4;
      if (bin == previous_bin) {
        ++accumulator;
      } else {
        if (accumulator > 0) {
          atomicAdd(&histo[previous_bin], accumulator);
        }
        accumulator = 1;
        previous_bin = bin;
      }
    }
  }
  if (accumulator > 0) {
    atomicAdd(&histo[previous_bin], accumulator);
  }
}
