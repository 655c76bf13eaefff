#include <emmintrin.h>
__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  const unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
  const int letter = i < length ? data[i] - 'a' : -1;
  if (letter >= 0 && letter < 26) _mm_stream_si32(reinterpret_cast<int*>(&histo[letter / 4]), static_cast<int>(histo[letter / 4] + 1));
}
