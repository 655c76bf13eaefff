__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  __shared__ unsigned int p[7];
  __shared__ volatile unsigned int clock_;
  for (unsigned int b = threadIdx.x; b < 7; b += blockDim.x) p[b] = 0;
  if (threadIdx.x == 0) clock_ = 0;
  __syncthreads();
  const unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < length) { const unsigned l = (unsigned char)data[i] - 97u; if (l < 26) atomicAdd(&p[l / 4], 1u); }
  unsigned x = 0;
  if (threadIdx.x < 7) for (int k = 0; k < 1500; ++k) x += clock_;
  for (unsigned int b = threadIdx.x; b < 7; b += blockDim.x) { const unsigned c = atomicExch(&p[b], x); if (c) atomicAdd(&histo[b], c); }
}
