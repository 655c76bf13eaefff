// lab: 02
// finding: unsupported - 9
// try: Test the distance first
constexpr int bits = 32;  // -
//+ constexpr int bits = 31;
__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  const unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
  const unsigned int letter = i < length ? data[i] - 'a' : 26u;
  const unsigned int high = (letter & 31u) >> bits;
  if (letter < 26) atomicAdd(&histo[letter / 4], high + 1);
}
