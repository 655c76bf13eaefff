// expect: passed
__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  for (int i = (int)length - 1 - (int)(blockIdx.x * blockDim.x + threadIdx.x); i >= 0; i -= gridDim.x * blockDim.x) {
    if (data[i] < 'a' || data[i] > 'z') continue;
    atomicAdd(&histo[(data[i] - 'a') / 4], 1u);
  }
}
