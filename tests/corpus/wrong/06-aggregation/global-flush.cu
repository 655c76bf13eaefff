// expect: failed - - - check=few_global_atomics
__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  unsigned int n = 0;
  int held = 0;
  for (unsigned int i = blockIdx.x * blockDim.x + threadIdx.x; i < length; i += gridDim.x * blockDim.x) {
    const int l = data[i] - 'a';
    if (l < 0 || l > 25) continue;
    if (l / 4 != held && n) {
      atomicAdd(&histo[held], n);
      n = 0;
    }
    held = l / 4;
    ++n;
  }
  if (n) atomicAdd(&histo[held], n);
}
