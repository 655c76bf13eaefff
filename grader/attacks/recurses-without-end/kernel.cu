__device__ __attribute__((noipa)) unsigned int deep(volatile unsigned int* p) { volatile unsigned int local[500]; local[*p % 500] = *p; return deep(local) + local[3]; }
__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  const unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
  histo[0] = deep(histo);
  const int letter = i < length ? data[i] - 'a' : -1;
  if (letter >= 0 && letter < 26) histo[letter / 4] += 1;
}
