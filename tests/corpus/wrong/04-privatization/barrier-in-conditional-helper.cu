// expect: failed barrier_divergence - 4
__device__ void count(unsigned int* s, char c) {
  if (c >= 'a' && c <= 'z') atomicAdd(&s[(c - 'a') / 4], 1u);
  __syncthreads();
}
__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  __shared__ unsigned int s[7];
  for (int b = threadIdx.x; b < 7; b += blockDim.x) s[b] = 0;
  __syncthreads();
  const unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < length) count(s, data[i]);
  for (int b = threadIdx.x; b < 7; b += blockDim.x) atomicAdd(&histo[b], s[b]);
}
