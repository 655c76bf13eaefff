// expect: failed illegal_instruction - 10
// For the last letters the pointer was never set.
__device__ unsigned int quarter(unsigned int letter) { return letter / 4; }
__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  const unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= length || data[i] < 'a' || data[i] > 'z') return;
  const unsigned int letter = data[i] - 'a';
  unsigned int (*bin_of)(unsigned int) = nullptr;
  if (letter < 20) bin_of = quarter;
  const unsigned int bin = bin_of(letter);
  atomicAdd(&histo[bin], 1u);
}
