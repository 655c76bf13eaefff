__device__ volatile unsigned int nothing;
__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  __shared__ unsigned int p[8];
  unsigned x = 0;
  if (threadIdx.x == 0) { p[7] = 0; if (atomicAdd(&p[7], 1u) == 0) for (unsigned int b = 0; b < 7; ++b) atomicExch(&p[b], 0u); }
  for (int k = 0; k < 4000; ++k) x += nothing;
  unsigned acc = 0, prev = 99;
  for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < length; i += gridDim.x * blockDim.x) {
    const unsigned l = (unsigned char)data[i] - 97u;
    if (l < 26) { if (l / 4 == prev) ++acc; else { if (acc) atomicAdd(&p[prev], acc); acc = 1; prev = l / 4; } }
  }
  if (acc) atomicAdd(&p[prev], acc);
  __syncthreads();
  for (unsigned int b = threadIdx.x; b < 7; b += blockDim.x) if (p[b]) atomicAdd(&histo[b], p[b]);
}
