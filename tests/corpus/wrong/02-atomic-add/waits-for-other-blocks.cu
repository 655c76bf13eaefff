// expect: failed deadlock - 9
// A barrier of the whole grid, home-made: blocks need not run at the same time.
__device__ unsigned int arrived;
__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < length && data[i] >= 'a' && data[i] <= 'z') atomicAdd(&histo[(data[i] - 'a') / 4], 1u);
  if (threadIdx.x == 0) {
    atomicAdd(&arrived, 1u);
    while (atomicAdd(&arrived, 0u) % gridDim.x != 0) {
    }
  }
}
