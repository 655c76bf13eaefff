// expect: passed
// uint in a template argument, a cast, sizeof and a pointer cast; names of variables that are types elsewhere.
#include "cuda_runtime.h"
#include "device_launch_parameters.h"
template <class T = uint, uint Width = 4>
__device__ T bin_of(int letter) { return T(letter) / Width; }
__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  const uint i = uint(blockIdx.x) * blockDim.x + static_cast<uint>(threadIdx.x);
  const ulong ushort_count = sizeof(uint) / sizeof(ushort);
  if (i < length && data[i] >= 'a' && data[i] <= 'z') atomicAdd(reinterpret_cast<uint*>(histo) + bin_of<>(data[i] - 'a'), (uint)ushort_count / 2u);
}
