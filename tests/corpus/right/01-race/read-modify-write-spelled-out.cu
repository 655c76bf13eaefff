// expect: passed
__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  const unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= length) return;
  const char c = data[i];
  if (c < 'a' || 'z' < c) return;
  unsigned int* p = histo + (c - 'a') / 4;
  const unsigned int old = *p;
  *p = old + 1;
}
