// expect: passed
__device__ bool between(const volatile char& c, const char& low, const char& high) { return c >= low && c <= high; }
__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  const volatile char* bytes = data;
  const unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < length && between(bytes[i], 'a', 'z')) atomicAdd(&histo[(bytes[i] - 'a') / 4], 1u);
}
