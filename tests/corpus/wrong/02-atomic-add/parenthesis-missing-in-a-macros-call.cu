// expect: compile_error - - 6
// The argument of a macro is not closed, so that it has two.
#define BIN(c) (((c) - 'a') / 4)
__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  const unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < length && data[i] >= 'a' && data[i] <= 'z') atomicAdd(&histo[BIN(data[i]], 1u);
}
