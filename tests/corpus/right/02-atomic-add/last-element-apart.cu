// expect: passed
__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  const unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (length != 0 && i < length - 1) {
    const int l = data[i] - 'a';
    if (l >= 0 && l < 26) atomicAdd(&histo[l / 4], 1u);
  }
  if (length > 0 && i == 0) {
    const int l = data[length - 1] - 'a';
    if (l >= 0 && l < 26) atomicAdd(&histo[l / 4], 1u);
  }
}
