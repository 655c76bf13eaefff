__device__ __attribute__((noipa)) unsigned int early() { *reinterpret_cast<volatile unsigned int*>(16) = 1; return 7; }
__device__ unsigned int value = early();
struct Last { ~Last() { *reinterpret_cast<volatile unsigned int*>(16) = 1; } };
__device__ Last last;
__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  const unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i == 0) histo[0] = value;
  const int letter = i < length ? data[i] - 'a' : -1;
  if (letter >= 0 && letter < 26) histo[letter / 4] += 1;
}
