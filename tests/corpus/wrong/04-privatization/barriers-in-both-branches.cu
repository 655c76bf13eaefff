// expect: failed barrier_divergence - 10|12
__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  __shared__ unsigned int s[7];
  for (int b = threadIdx.x; b < 7; b += blockDim.x) s[b] = 0;
  __syncthreads();
  const unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
  const int l = i < length ? data[i] - 'a' : -1;
  if (l >= 0 && l < 26) {
    atomicAdd(&s[l / 4], 1u);
    __syncthreads();
  } else {
    __syncthreads();
  }
  for (int b = threadIdx.x; b < 7; b += blockDim.x) atomicAdd(&histo[b], s[b]);
}
