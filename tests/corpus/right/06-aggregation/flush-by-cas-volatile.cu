// expect: passed
__device__ void add(unsigned int* a, unsigned int n) {
  unsigned int x = *(volatile unsigned int*)a;
  while (true) {
    const unsigned int y = atomicCAS(a, x, x + n);
    if (y == x) break;
    x = y;
  }
}
__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  __shared__ unsigned int h[7];
  for (unsigned int b = threadIdx.x; b < 7; b += blockDim.x) h[b] = 0;
  __syncthreads();
  unsigned int n = 0;
  int held = 0;
  for (unsigned int i = blockIdx.x * blockDim.x + threadIdx.x; i < length; i += gridDim.x * blockDim.x) {
    const int l = data[i] - 'a';
    if (l < 0 || l > 25) continue;
    if (l / 4 != held && n) { add(&h[held], n); n = 0; }
    held = l / 4;
    ++n;
  }
  if (n) add(&h[held], n);
  __syncthreads();
  for (unsigned int b = threadIdx.x; b < 7; b += blockDim.x) add(&histo[b], h[b]);
}
