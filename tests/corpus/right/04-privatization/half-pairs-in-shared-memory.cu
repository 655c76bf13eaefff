// expect: passed
#include <cuda_fp16.h>
// Counts of a block, in pairs of 16 bits: at most 2048, up to which every whole number is exact.
__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  __shared__ half2 pairs[4];
  for (unsigned int k = threadIdx.x; k < 4; k += blockDim.x) pairs[k] = __float2half2_rn(0.0f);
  __syncthreads();
  const unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < length && data[i] >= 'a' && data[i] <= 'z') {
    const int bin = (data[i] - 'a') / 4;
    atomicAdd(&pairs[bin / 2], bin % 2 == 0 ? __floats2half2_rn(1, 0) : __floats2half2_rn(0, 1));
  }
  __syncthreads();
  for (unsigned int bin = threadIdx.x; bin < 7; bin += blockDim.x) {
    const half2 pair = pairs[bin / 2];
    const int count = __half2int_rn(bin % 2 == 0 ? __low2half(pair) : __high2half(pair));
    if (count > 0) atomicAdd(&histo[bin], count);
  }
}
