__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  if (blockIdx.x == 0 && threadIdx.x == 0) {
    unsigned int counts[7] = {};
    for (unsigned int i = 0; i < length; ++i) {
      const char c = data[i];
      if (c >= 'a' && c <= 'z') {
        ++counts[(c - 'a') / 4];
      }
    }
    for (unsigned int bin = 0; bin < 7; ++bin) {
      atomicAdd(&histo[bin], counts[bin]);
    }
  }
}
