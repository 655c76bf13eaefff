// expect: failed unsupported - 8
// nvcc knows the distance, and drops the addition.
constexpr int bits = 32;
__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  const unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= length) return;
  const unsigned int letter = data[i] - 'a';
  const unsigned int high = letter >> bits;
  if (letter < 26) atomicAdd(&histo[letter / 4], high + 1);
}
