// expect: failed uninitialized_read h 11
// Seven byte counters are zeroed, and read as two words of four bytes.
__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  __shared__ __align__(4) unsigned char h[8];
  if (threadIdx.x == 0) {
    for (int b = 0; b < 7; ++b) h[b] = 0;
    for (unsigned int i = blockIdx.x * blockDim.x; i < length && i < (blockIdx.x + 1) * blockDim.x; ++i)
      if (data[i] >= 'a' && data[i] <= 'z' && ++h[(data[i] - 'a') / 4] == 255)
        atomicAdd(&histo[(data[i] - 'a') / 4], 255u), h[(data[i] - 'a') / 4] = 0;
    for (int half = 0; half < 2; ++half) {
      const unsigned int four = ((const unsigned int*)h)[half];
      for (int b = 0; b < 4 && 4 * half + b < 7; ++b) atomicAdd(&histo[4 * half + b], four >> 8 * b & 255);
    }
  }
}
