// expect: failed step_limit - 7|8
__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= length) return;
  int l = data[i] - 'a', b = 0;
  if (l < 0 || l > 25) return;
  while (l >= 0) {
    ++b;
  }
  atomicAdd(&histo[b], 1u);
}
