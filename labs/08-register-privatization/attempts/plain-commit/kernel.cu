constexpr unsigned int bins = 7;

__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  unsigned int counts[bins] = {};
  for (unsigned int i = blockIdx.x * blockDim.x + threadIdx.x; i < length; i += gridDim.x * blockDim.x) {
    const unsigned int letter = data[i] - 'a';
    for (unsigned int b = 0; b < bins; ++b) counts[b] += letter < 26 && letter / 4 == b;
  }
  for (unsigned int b = 0; b < bins; ++b) {
    if (counts[b] > 0) histo[b] += counts[b];
  }
}
