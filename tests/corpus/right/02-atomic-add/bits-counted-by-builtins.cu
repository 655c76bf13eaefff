// expect: passed
// nvcc takes these functions of g++ in device code.
__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  const unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (__builtin_expect(!!(i < length), 1)) {
    const int letter = data[i] - 'a';
    const unsigned int set = letter >= 0 && letter < 26 ? 1u << (letter / 4) : 0;
    if (__builtin_popcount(set) == 1) atomicAdd(&histo[31 - __builtin_clz(set)], 1u);
    if (__builtin_popcountll(set) > 1 || __builtin_ffs(set) > 7) __builtin_unreachable();
  }
}
