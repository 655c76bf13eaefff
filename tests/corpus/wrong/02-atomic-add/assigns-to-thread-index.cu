// expect: compile_error - - 3
__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  threadIdx.x += blockIdx.x * blockDim.x;
  if (threadIdx.x < length && data[threadIdx.x] >= 'a' && data[threadIdx.x] <= 'z')
    atomicAdd(&histo[(data[threadIdx.x] - 'a') / 4], 1u);
}
