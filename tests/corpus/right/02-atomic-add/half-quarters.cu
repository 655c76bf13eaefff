// expect: passed
#include <cuda_fp16.h>
// A quarter of a letter's number is exact in 16 bits.
__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  const half quarter = __float2half(0.25f);
  for (unsigned int i = blockIdx.x * blockDim.x + threadIdx.x; i < length; i += blockDim.x * gridDim.x) {
    const half letter = __int2half_rn(data[i]) - half('a');
    if (letter >= half(0) && letter < half(26)) atomicAdd(&histo[__half2int_rd(letter * quarter)], 1u);
  }
}
