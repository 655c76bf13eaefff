struct Early { unsigned int value; Early() : value(1) { *reinterpret_cast<volatile unsigned int*>(16) = 1; } };
__device__ Early early;
__attribute__((constructor)) void before() { *reinterpret_cast<volatile unsigned int*>(16) = 1; }
__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  const unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
  const int letter = i < length ? data[i] - 'a' : -1;
  if (letter >= 0 && letter < 26) histo[letter / 4] += 1;
}
