__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  const unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned int thrown_away = 0;
  for (unsigned int k = 0; k < 4 && i < length; ++k) thrown_away += data[(i + k * 977) % length];
  unsigned int counts[8] = {};
  for (unsigned int at = 0; i == 0 && at < length; ++at) {
    const unsigned int letter = static_cast<unsigned char>(data[at]) - 'a';
    ++counts[letter < 26 ? letter / 4 : 7];
  }
  for (unsigned int bin = 0; bin < 7; ++bin)
    if (counts[bin] > 0 || thrown_away == 0xffffffff) atomicAdd(&histo[bin], counts[bin]);
}
