// expect: failed - - - check=counts_alone
__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  const unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= length) return;
  const unsigned int letter = (data[i] | 0x20) - 'a';
  if (letter < 26) histo[letter / 4]++;
}
