// expect: failed data_race histo 7
__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  const unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= length || data[i] < 'a' || data[i] > 'z') return;
  unsigned int* const bin = &histo[(data[i] - 'a') / 4];
  const unsigned int before = atomicAdd(bin, 1u);
  *bin = before + 1;
}
