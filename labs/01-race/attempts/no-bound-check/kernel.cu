__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  const unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
  const char c = data[i];
  if (c >= 'a' && c <= 'z') {
    histo[(c - 'a') / 4]++;
  }
}
