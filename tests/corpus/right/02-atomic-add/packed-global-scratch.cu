// expect: passed
// A zeroed __device__ array as intermediate, brought back to zero by the same thread that takes from it.
__device__ unsigned int scratch[7];
__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  const unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < length && data[i] >= 'a' && data[i] <= 'z') atomicAdd(&scratch[(data[i] - 'a') / 4], 1u);
  __syncthreads();
  for (int b = threadIdx.x; b < 7; b += blockDim.x) {
    const unsigned int taken = atomicExch(&scratch[b], 0u);
    if (taken) atomicAdd(&histo[b], taken);
  }
}
