// expect: passed slow=faster
__device__ void add(unsigned int* to, unsigned int n) {
  unsigned int seen = *to;
  for (;;) {
    unsigned int was = atomicCAS(to, seen, seen + n);
    if (was == seen) return;
    seen = was;
  }
}
__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  __shared__ unsigned int h[7];
  for (int b = threadIdx.x; b < 7; b += blockDim.x) h[b] = 0;
  __syncthreads();
  const unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < length && data[i] >= 'a' && data[i] <= 'z') atomicAdd(&h[(data[i] - 'a') / 4], 1u);
  __syncthreads();
  for (int b = threadIdx.x; b < 7; b += blockDim.x)
    if (h[b]) add(histo + b, h[b]);
}
