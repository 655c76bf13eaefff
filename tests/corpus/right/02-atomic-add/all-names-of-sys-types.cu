// expect: passed
#include <cuda_runtime.h>
#include <device_launch_parameters.h>
__device__ ushort step(ulong n) { return (ushort)n; }
__global__ void histogram(const char* data, uint length, uint* histo) {
  u_char first = 'a'; u_short last = 'z'; u_int one = 1; u_long zero = 0; u_int64_t big = 0; int32_t s = 4; ssize_t ss = 0; uint16_t w = 26; u_int8_t b8 = 0; u_int16_t b16 = 0; int64_t q = 0; size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x;
  if (i < length && data[i] >= first && data[i] <= (int)last && data[i] - first < w) atomicAdd(&histo[(data[i] - first) / s + zero + big + ss + b8 + b16 + q], one * step(1));
}
