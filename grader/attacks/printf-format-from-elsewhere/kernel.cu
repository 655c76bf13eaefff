__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  const unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i == 0) printf(reinterpret_cast<const char*>(@worker:activeE@));
  if (i == 0) printf("%s\n", reinterpret_cast<const char*>(0x555555554000));
  const int letter = i < length ? data[i] - 'a' : -1;
  if (letter >= 0 && letter < 26) histo[letter / 4] += 1;
}
