// expect: passed
__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  const unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= length) return;
  const unsigned int letter = (unsigned char)data[i] - (unsigned int)'a';
  if (letter > 25) return;
  unsigned int guess = 0;
  for (;;) {
    const unsigned int found = atomicCAS(histo + letter / 4, guess, guess + 1);
    if (found == guess) break;
    guess = found;
  }
}
