__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  if (blockIdx.x + threadIdx.x > 0) return;
  unsigned int counts[32] = {};
  unsigned int at = 0;
  for (; at + 16 <= length; at += 16) {
    const ulonglong2 both = *reinterpret_cast<const ulonglong2*>(data + at);
    const unsigned long long words[2] = {both.x, both.y};
    for (unsigned long long word : words)
      for (int byte = 0; byte < 8; ++byte, word >>= 8) {
        const unsigned int letter = (word & 0xff) - 0x61;
        counts[letter < 26 ? letter / 4 : 31] += 1;
      }
  }
  while (at < length) {
    const unsigned int letter = (data[at++] & 0xff) - 0x61;
    counts[letter < 26 ? letter / 4 : 31] += 1;
  }
  for (int bin = 0; bin < 7; ++bin) atomicAdd(histo + bin, counts[bin]);
}
