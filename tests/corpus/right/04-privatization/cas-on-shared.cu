// expect: passed
__device__ inline void increment(unsigned int* a) {
  unsigned int old = *a, assumed;
  do {
    assumed = old;
    old = atomicCAS(a, assumed, assumed + 1u);
  } while (old != assumed);
}
__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  __shared__ unsigned int h[7];
  for (int b = threadIdx.x; b < 7; b += blockDim.x) atomicExch(&h[b], 0u);
  __syncthreads();
  const unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < length) {
    const int l = data[i] - 'a';
    if (l >= 0 && l < 26) increment(&h[l / 4]);
  }
  __syncthreads();
  for (int b = threadIdx.x; b < 7; b += blockDim.x) atomicAdd(&histo[b], h[b]);
}
