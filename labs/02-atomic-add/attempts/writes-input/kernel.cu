__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  char* text = const_cast<char*>(data);
  const unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < length && text[i] >= 'a' && text[i] <= 'z') {
    atomicAdd(&histo[(text[i] - 'a') / 4], 1u);
    text[i] = 0;
  }
}
