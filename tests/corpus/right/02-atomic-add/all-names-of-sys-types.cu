// expect: passed
// The names that <sys/types.h> declares, which nvcc's headers bring in on Linux.
#include <cuda_runtime.h>
#include <device_launch_parameters.h>
__device__ ushort step(ulong n) { return (ushort)n; }
__global__ void histogram(const char* data, uint length, uint* histo) {
  u_char first = 'a';
  u_short last = 'z';
  u_int one = 1;
  u_long zero = 0;
  u_int8_t b8 = 0;
  u_int16_t letters = 26;
  u_int32_t b32 = 0;
  u_int64_t b64 = 0;
  ssize_t width = 4;
  size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x;
  if (i < length && data[i] >= first && data[i] <= (int)last && data[i] - first < letters)
    atomicAdd(&histo[(data[i] - first) / width + zero + b8 + b32 + b64], one * step(1));
}
