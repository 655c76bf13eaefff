// expect: failed - - - check=matches_reference
__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  __shared__ unsigned int h[7];
  for (unsigned int b = threadIdx.x; b < 7; b += blockDim.x) h[b] = 0;
  __syncthreads();
  unsigned int n = 0, i;
  int held = 0;
  for (i = blockIdx.x * blockDim.x + threadIdx.x; i < length; i += gridDim.x * blockDim.x) {
    const int l = data[i] - 'a';
    if (l < 0 || l > 25) continue;
    if (l / 4 != held && n) { atomicAdd(&h[held], n); n = 0; }
    held = l / 4;
    ++n;
    if (i + gridDim.x * blockDim.x >= length) atomicAdd(&h[held], n);
  }
  if (n) atomicAdd(&h[held], n);
  __syncthreads();
  for (unsigned int b = threadIdx.x; b < 7; b += blockDim.x) atomicAdd(&histo[b], h[b]);
}
