// expect: failed data_race histo 7/8 first says=remove
// The result is stored once more by an exchange.
__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  const unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= length || data[i] < 'a' || data[i] > 'z') return;
  unsigned int* p = &histo[(data[i] - 'a') / 4];
  const unsigned int now = atomicAdd(p, 1u) + 1;
  atomicExch(p, now);
}
