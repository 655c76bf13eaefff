// expect: compile_error - - -
template <typename T>
__global__ void histogram(const T* data, unsigned int length, unsigned int* histo) {
  unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < length && data[i] >= 'a' && data[i] <= 'z') atomicAdd(&histo[(data[i] - 'a') / 4], 1u);
}
