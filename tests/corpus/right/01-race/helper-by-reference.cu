// expect: passed
__device__ void bump(unsigned int& counter) { counter += 1; }
__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  for (size_t i = blockIdx.x * blockDim.x + threadIdx.x; i < length; i += gridDim.x * blockDim.x)
    if (data[i] >= 'a' && data[i] <= 'z') bump(histo[(data[i] - 'a') / 4]);
}
