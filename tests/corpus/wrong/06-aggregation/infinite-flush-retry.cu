// expect: failed deadlock h 15
__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  __shared__ unsigned int h[7];
  for (unsigned int b = threadIdx.x; b < 7; b += blockDim.x) h[b] = 0;
  __syncthreads();
  unsigned int n = 0;
  int held = 0;
  for (unsigned int i = blockIdx.x * blockDim.x + threadIdx.x; i < length; i += gridDim.x * blockDim.x) {
    const int l = data[i] - 'a';
    if (l < 0 || l > 25) continue;
    if (l / 4 != held && n) { atomicAdd(&h[held], n); n = 0; }
    held = l / 4;
    ++n;
  }
  while (atomicCAS(&h[held], 0xffffffffu, n) != 0xffffffffu) {
  }
  __syncthreads();
  for (unsigned int b = threadIdx.x; b < 7; b += blockDim.x) atomicAdd(&histo[b], h[b]);
}
