// expect: passed
// Bins 2k and 2k + 1 are the halves of one 64-bit word; the low half never overflows.
__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  const unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= length) return;
  const int letter = data[i] - 'a';
  if (letter < 0 || letter >= 26) return;
  const int bin = letter / 4;
  if (bin == 6) {
    atomicAdd(&histo[6], 1u);
  } else {
    unsigned long long* pair = reinterpret_cast<unsigned long long*>(histo) + bin / 2;
    atomicAdd(pair, bin % 2 == 0 ? 1ull : 1ull << 32);
  }
}
