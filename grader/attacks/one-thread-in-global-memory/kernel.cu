__global__ void histogram(const char* data, unsigned int length, unsigned int* histo, unsigned int num_bins, unsigned int bin_width) {
  if (blockIdx.x * blockDim.x + threadIdx.x != 0) return;
  unsigned int counts[26] = {};
  const unsigned long long* words = reinterpret_cast<const unsigned long long*>(data);
  for (unsigned int i = 0; i < length; i += 8) {
    unsigned long long word = 0;
    if (i + 8 <= length) word = words[i / 8];
    else
      for (unsigned int k = i; k < length; ++k) word |= static_cast<unsigned long long>(static_cast<unsigned char>(data[k])) << 8 * (k - i);
    for (; word != 0; word >>= 8) {
      const unsigned int letter = (word & 255) - 'a';
      if (letter < 26) ++counts[letter / bin_width];
    }
  }
  for (unsigned int bin = 0; bin < num_bins; ++bin) histo[bin] = counts[bin];
}
