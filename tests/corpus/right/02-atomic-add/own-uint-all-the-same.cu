// expect: passed
// The same type declared again, and a variable of that name.
typedef unsigned int uint;
using ushort = unsigned short;
__device__ uint bin_of(ushort letter) {
  const int uint = letter / 4;
  return uint;
}
__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  uint i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < length && 'a' <= data[i] && data[i] <= 'z') atomicAdd(&histo[bin_of(data[i] - 'a')], 1);
}
