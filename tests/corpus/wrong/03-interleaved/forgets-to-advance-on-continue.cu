// expect: failed step_limit - 4|5
__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
  while (i < length) {
    if (data[i] < 'a' || data[i] > 'z') continue;
    atomicAdd(&histo[(data[i] - 'a') / 4], 1u);
    i += gridDim.x * blockDim.x;
  }
}
