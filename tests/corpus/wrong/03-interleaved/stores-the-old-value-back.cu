// expect: failed data_race histo 9 first says=remove
// The old value is stored, so the addition is undone even without a second thread.
__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
  while (i < length) {
    const char c = data[i];
    i += blockDim.x * gridDim.x;
    if ('a' <= c && c <= 'z')
      histo[(c - 'a') / 4] = atomicAdd(histo + (c - 'a') / 4, 1u);
  }
}
