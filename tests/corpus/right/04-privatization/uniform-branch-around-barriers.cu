// expect: passed
// The condition is the same for all threads of a block, so the barriers inside are reached by all or none.
__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  __shared__ unsigned int h[7];
  if (blockIdx.x * blockDim.x < length) {
    for (int b = threadIdx.x; b < 7; b += blockDim.x) h[b] = 0;
    __syncthreads();
    const unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < length && data[i] >= 'a' && data[i] <= 'z') atomicAdd(&h[(data[i] - 'a') / 4], 1u);
    __syncthreads();
    for (int b = threadIdx.x; b < 7; b += blockDim.x) atomicAdd(&histo[b], h[b]);
  }
}
