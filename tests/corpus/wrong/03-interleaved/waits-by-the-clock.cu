// expect: failed deadlock go 10/5 first more
// Spins with clock64() between its looks; block 1 opens the gate for block 0.
__device__ volatile int go;
__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  if (blockIdx.x == gridDim.x - 1 && threadIdx.x == 0) go = 1;
  if (threadIdx.x == 0 && blockIdx.x == 0) {
    do {
      const long long begin = clock64();
      while (clock64() - begin < 1000) {}
    } while (go == 0);
  }
  __syncthreads();
  for (unsigned int i = blockIdx.x * blockDim.x + threadIdx.x; i < length; i += blockDim.x * gridDim.x)
    if (data[i] >= 'a' && data[i] <= 'z') atomicAdd(&histo[(data[i] - 'a') / 4], 1u);
}
