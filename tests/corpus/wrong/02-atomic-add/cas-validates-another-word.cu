// expect: failed data_race histo 6|9 more
__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < length && data[i] >= 'a' && data[i] <= 'z') {
    const int b = (data[i] - 'a') / 4;
    unsigned int old = histo[(b + 1) % 7], seen;
    do {
      seen = old;
      old = atomicCAS(&histo[b], seen, seen + 1);
    } while (old != seen);
  }
}
