// expect: passed
// The distance is read straight from memory, and is beyond the width for most characters that are no letter.
#define GROUP(first) (0xfu << (first))
__device__ int group_of(const char& c) {
  const unsigned int letter = 1u << (c - 'a') & 0x3ffffff;
  for (int g = 0; g < 7; ++g)
    if (GROUP(4 * g) & letter) return g;
  return -1;
}
__global__ void histogram(const char* __restrict__ data, unsigned int length, unsigned int* histo) {
  for (unsigned int i = blockIdx.x * blockDim.x + threadIdx.x; i < length; i += gridDim.x * blockDim.x) {
    const int group = group_of(data[i]);
    if (group >= 0) atomicAdd(histo + group, 1);
  }
}
