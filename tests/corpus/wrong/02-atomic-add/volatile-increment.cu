// expect: failed data_race histo 6
__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  const unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= length || data[i] < 'a' || data[i] > 'z') return;
  volatile unsigned int& bin = histo[(data[i] - 'a') / 4];
  bin = bin + 1;
  __threadfence();
}
