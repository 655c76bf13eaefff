// expect: compile_error - - 4
// A sum is not closed.
__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  const unsigned int i = (blockIdx.x * blockDim.x + threadIdx.x;
  if (i < length && data[i] >= 'a' && data[i] <= 'z') atomicAdd(&histo[(data[i] - 'a') / 4], 1u);
}
