// expect: passed
// Names of sys/types.h as names of variables and members.
struct Pair { int uint, ushort; };
__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  const unsigned int ulong = blockIdx.x * blockDim.x + threadIdx.x;
  Pair p; p.uint = 1; p.ushort = 4;
  if (ulong < length && data[ulong] >= 'a' && data[ulong] <= 'z') atomicAdd(&histo[(data[ulong] - 'a') / p.ushort], (unsigned)p.uint);
}
