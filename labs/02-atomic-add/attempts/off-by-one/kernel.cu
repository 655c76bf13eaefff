__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i > length) {
    return;
  }
  char c = data[i];
  if (c >= 'a' && c <= 'z') {
    atomicAdd(histo + (c - 'a') / 4, 1);
  }
}
