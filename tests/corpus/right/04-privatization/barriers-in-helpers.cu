// expect: passed
__device__ void zero(unsigned int* h, int n) {
  for (int b = threadIdx.x; b < n; b += blockDim.x) h[b] = 0;
  __syncthreads();
}
__device__ void count(unsigned int* h, const char* data, unsigned int length) {
  const unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < length) {
    const int l = data[i] - 'a';
    if (l >= 0 && l < 26) atomicAdd(&h[l / 4], 1u);
  }
  __syncthreads();
}
__device__ void commit(const unsigned int* h, unsigned int* histo, int n) {
  for (int b = threadIdx.x; b < n; b += blockDim.x) atomicAdd(&histo[b], h[b]);
}
__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  __shared__ unsigned int h[7];
  zero(h, 7);
  count(h, data, length);
  commit(h, histo, 7);
}
