// For tools/benchmark: a tree in shared memory counts the letters of a block, with nine barriers
// for 256 threads.
__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  __shared__ unsigned int counted[256];
  const unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
  counted[threadIdx.x] = i < length && data[i] >= 'a' && data[i] <= 'z';
  __syncthreads();
  for (unsigned int half = blockDim.x / 2; half > 0; half /= 2) {
    if (threadIdx.x < half) counted[threadIdx.x] += counted[threadIdx.x + half];
    __syncthreads();
  }
  if (threadIdx.x == 0) atomicAdd(&histo[0], counted[0]);
}
