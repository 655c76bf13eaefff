__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  const unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned int* ××‘×’ = histo; // ÿşÃ(í €øˆ€€€
  const int letter = i < length ? data[i] - 'a' : -1;
  if (letter >= 0 && letter < 26) ××‘×’[letter / 4] += 1;
}
