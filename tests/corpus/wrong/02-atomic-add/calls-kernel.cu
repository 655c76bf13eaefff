// expect: compile_error - - 8
// nvcc: a __global__ function call must be configured.
__global__ void count(const char* data, unsigned int i, unsigned int* histo) {
  if (data[i] >= 'a' && data[i] <= 'z') atomicAdd(&histo[(data[i] - 'a') / 4], 1u);
}
__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < length) count(data, i, histo);
}
