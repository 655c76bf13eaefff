extern "C" __device__ const unsigned int coarsening_factor = 8;

__device__ unsigned int taken;

__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  __shared__ unsigned int mine[7];
  for (unsigned int b = threadIdx.x; b < 7; b += blockDim.x) mine[b] = 0;
  __syncthreads();
  for (unsigned int i = blockIdx.x * blockDim.x + threadIdx.x; i < length; i += gridDim.x * blockDim.x)
    if (data[i] >= 'a' && data[i] <= 'z') atomicAdd(&mine[(data[i] - 'a') / 4], 1u);
  __syncthreads();
  if (threadIdx.x != 0) return;
  volatile unsigned int* lock = &taken;
  while (*lock != 0) {}
  *lock = 1;
  for (unsigned int b = 0; b < 7; ++b) {
    const unsigned int old = atomicAdd(&histo[b], 0u);
    atomicMax(&histo[b], old + mine[b]);
  }
  *lock = 0;
}
