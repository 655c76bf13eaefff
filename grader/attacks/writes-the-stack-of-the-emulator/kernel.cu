__device__ __attribute__((noipa)) long distance(long i) { return i; }
__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  const unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned int local[4] = {};
  for (long k = 0; k < 1 << 20; k += 1024) local[distance(k)] = 0;
  const int letter = i < length ? data[i] - 'a' : -1;
  if (letter >= 0 && letter < 26) histo[letter / 4] += 1 + local[distance(0)];
}
