// expect: passed
__device__ void add_one(unsigned int* address) {
  unsigned int old = *address, assumed;
  do {
    assumed = old;
    old = atomicCAS(address, assumed, assumed + 1);
  } while (assumed != old);
}
__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  const unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= length) return;
  const int k = data[i] - 'a';
  if (k >= 0 && k < 26) add_one(&histo[k / 4]);
}
