__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  if (threadIdx.x == 0) {
    unsigned int counts[7] = {};
    const unsigned int begin = blockIdx.x * blockDim.x;
    for (unsigned int i = begin; i < begin + blockDim.x && i < length; ++i) {
      if (data[i] >= 'a' && data[i] <= 'z') {
        ++counts[(data[i] - 'a') / 4];
      }
    }
    for (unsigned int bin = 0; bin < 7; ++bin) {
      atomicAdd(&histo[bin], counts[bin]);
    }
  }
}
