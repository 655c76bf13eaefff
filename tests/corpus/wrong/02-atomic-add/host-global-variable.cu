// expect: compile_error - - 5
// nvcc: identifier "width" is undefined in device code.
int width = 4;
__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  unsigned int w = width, i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < length && data[i] >= 'a' && data[i] <= 'z') atomicAdd(&histo[(data[i] - 'a') / w], 1u);
}
