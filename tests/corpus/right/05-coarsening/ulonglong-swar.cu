// expect: passed
// One 64-bit load per thread.
__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  __shared__ int h[7];
  if (threadIdx.x < 7) h[threadIdx.x] = 0;
  for (unsigned int b = threadIdx.x + blockDim.x; b < 7; b += blockDim.x) h[b] = 0;
  __syncthreads();
  const unsigned long long at = ((unsigned long long)blockIdx.x * blockDim.x + threadIdx.x) * 8;
  unsigned long long bytes = 0;
  if (at + 8 <= length) {
    bytes = *(const unsigned long long*)(data + at);
  } else if (at < length) {
    for (int k = 0; k < (int)(length - at); ++k) bytes |= (unsigned long long)(unsigned char)data[at + k] << 8 * k;
  }
  for (; bytes != 0; bytes >>= 8) {
    const int l = (int)(bytes & 255) - 'a';
    if (l >= 0 && l < 26) atomicAdd(&h[l / 4], 1);
  }
  __syncthreads();
  for (unsigned int b = threadIdx.x; b < 7; b += blockDim.x) atomicAdd(&histo[b], (unsigned int)h[b]);
}
