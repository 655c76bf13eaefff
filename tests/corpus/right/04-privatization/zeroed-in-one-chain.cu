// expect: passed
// Each thread sets all counters to zero, in one chain of assignments: no variable is read again.
__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  __shared__ unsigned int h[7];
  h[0] = h[1] = h[2] = h[3] = h[4] = h[5] = h[6] = 0;
  __syncthreads();
  const unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < length && data[i] >= 'a' && data[i] <= 'z') atomicAdd(&h[(data[i] - 'a') / 4], 1u);
  __syncthreads();
  if (threadIdx.x == 0)
    for (int b = 0; b < 7; ++b) atomicAdd(&histo[b], h[b]);
}
