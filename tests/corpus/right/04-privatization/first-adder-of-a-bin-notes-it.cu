// expect: passed
// The thread whose addition found a 0 is the only one that stores the bin's mark.
__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  __shared__ unsigned int mine[7], used[7];
  for (unsigned int b = threadIdx.x; b < 7; b += blockDim.x) mine[b] = used[b] = 0;
  __syncthreads();
  const unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < length && data[i] >= 'a' && data[i] <= 'z') {
    const int b = (data[i] - 'a') / 4;
    if (atomicAdd(&mine[b], 1u) == 0) used[b] = 1;
  }
  __syncthreads();
  for (unsigned int b = threadIdx.x; b < 7; b += blockDim.x)
    if (used[b]) atomicAdd(&histo[b], mine[b]);
}
