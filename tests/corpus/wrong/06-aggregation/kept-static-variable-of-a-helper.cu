// expect: failed - - - check=matches_reference whole explains=keeps
// The cursor is a static variable of a helper.
__device__ unsigned int draw() {
  static unsigned int cursor;
  return atomicAdd(&cursor, 1u);
}
__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  __shared__ unsigned int mine[7], part;
  for (unsigned int b = threadIdx.x; b < 7; b += blockDim.x) mine[b] = 0;
  while (true) {
    if (threadIdx.x == 0) part = draw();
    __syncthreads();
    const unsigned int begin = part * 2048;
    if (begin >= length) break;
    int held = -1;
    unsigned int n = 0;
    for (unsigned int i = begin + threadIdx.x; i < length && i < begin + 2048; i += blockDim.x) {
      const int bin = data[i] >= 'a' && data[i] <= 'z' ? (data[i] - 'a') / 4 : -1;
      if (bin != held && held >= 0) atomicAdd(&mine[held], n);
      if (bin != held) held = bin, n = 0;
      ++n;
    }
    if (held >= 0) atomicAdd(&mine[held], n);
    __syncthreads();
  }
  for (unsigned int b = threadIdx.x; b < 7; b += blockDim.x) atomicAdd(&histo[b], mine[b]);
}
