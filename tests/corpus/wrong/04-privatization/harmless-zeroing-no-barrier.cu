// expect: failed data_race s 6/8 first
// All threads store the same zeros, which is harmless. That no barrier separates them from the counting is not.
__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  __shared__ unsigned int s[7];
  unsigned int b = 0, i = blockIdx.x * blockDim.x + threadIdx.x;
  while (b < 7) s[b++] = 0u;
  if (i < length && data[i] >= 'a' && data[i] <= 'z')
    atomicAdd(&s[(data[i] - 'a') / 4], 1u);
  __syncthreads();
  for (b = threadIdx.x; b < 7; b += blockDim.x) atomicAdd(&histo[b], s[b]);
}
