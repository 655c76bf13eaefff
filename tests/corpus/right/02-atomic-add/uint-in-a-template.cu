// expect: passed
#include <cuda_runtime.h>
template <typename Index>
__device__ Index element() { return static_cast<Index>(blockIdx.x) * blockDim.x + threadIdx.x; }

__global__ void histogram(const char* data, const uint length, uint* __restrict__ histo) {
  const uint i = element<uint>();
  if (i >= length) return;
  const uint letter = static_cast<uint>(data[i]) - uint('a');
  if (letter < 26u) atomicAdd(histo + (letter >> 2), uint{1});
}
