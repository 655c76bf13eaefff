// expect: failed out_of_bounds data 9
__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  __shared__ unsigned int h[7];
  for (unsigned int b = threadIdx.x; b < 7; b += blockDim.x) h[b] = 0;
  __syncthreads();
  const unsigned int first = (blockIdx.x * blockDim.x + threadIdx.x) * 8;
  if (first < length)
    for (const char* p = data + first; p < data + first + 8; ++p) {
      const int l = *p - 'a';
      if (l >= 0 && l < 26) atomicAdd(&h[l / 4], 1u);
    }
  __syncthreads();
  for (unsigned int b = threadIdx.x; b < 7; b += blockDim.x) atomicAdd(&histo[b], h[b]);
}
