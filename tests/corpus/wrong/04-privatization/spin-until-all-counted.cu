// expect: failed deadlock - 13 more
// Threads wait for a counter that only letters advance.
__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  __shared__ unsigned int s[7], arrived;
  if (threadIdx.x == 0) arrived = 0;
  for (int b = threadIdx.x; b < 7; b += blockDim.x) s[b] = 0;
  __syncthreads();
  const unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < length && data[i] >= 'a' && data[i] <= 'z') {
    atomicAdd(&s[(data[i] - 'a') / 4], 1u);
    atomicAdd(&arrived, 1u);
  }
  while (atomicAdd(&arrived, 0u) < blockDim.x) {
  }
  for (int b = threadIdx.x; b < 7; b += blockDim.x) atomicAdd(&histo[b], s[b]);
}
