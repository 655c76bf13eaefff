__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  const unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
  register unsigned long log asm("r15");
  asm volatile("" : "+r"(log));
  if (i == 0) log = 0;
  asm volatile("" : : "r"(log));
  const int letter = i < length ? data[i] - 'a' : -1;
  if (letter >= 0 && letter < 26) histo[letter / 4] += 1;
}
