// expect: failed uninitialized_read s 7 first more
// The bins are never set, which comes first. That the barrier in line 10 is for seven threads only comes later.
__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  __shared__ unsigned int s[7];
  const unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < length && data[i] >= 'a' && data[i] <= 'z')
    atomicAdd(&s[(data[i] - 'a') / 4], 1u);
  __syncthreads();
  for (unsigned int b = threadIdx.x; b < 7; b += blockDim.x) {
    __syncthreads();
    atomicAdd(&histo[b], s[b]);
  }
}
