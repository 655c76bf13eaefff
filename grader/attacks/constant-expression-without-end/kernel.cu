constexpr unsigned long spin() {
  unsigned long x = 1;
  while (x != 0) x = x * 3 + 1 | 1;
  return x;
}
template <unsigned long... Numbers> constexpr unsigned long all = (spin() + ... + Numbers);
__device__ unsigned long value = all<1> + all<2> + all<3> + all<4> + all<5> + all<6>;
static_assert(all<7> == 1);
__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  const unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
  const int letter = i < length ? data[i] - 'a' : -1;
  if (letter >= 0 && letter < 26) histo[letter / 4] += 1;
}
