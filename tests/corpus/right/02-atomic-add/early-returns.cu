// expect: passed
__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  unsigned int idx = threadIdx.x + blockDim.x * blockIdx.x;
  if (idx >= length) return;
  char c = data[idx];
  if (c < 'a') return;
  if (c > 'z') return;
  atomicAdd(histo + (c - 'a') / 4, 1);
}
