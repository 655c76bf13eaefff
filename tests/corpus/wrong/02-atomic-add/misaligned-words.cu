// expect: failed misaligned_access data 5
__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i + 4 <= length) {
    const unsigned int w = *(const unsigned int*)(data + i);
    const unsigned int l = (w & 0xff) - 'a';
    if (l < 26) atomicAdd(&histo[l / 4], 1u);
  } else if (i < length) {
    const unsigned int l = (unsigned char)data[i] - 'a';
    if (l < 26) atomicAdd(&histo[l / 4], 1u);
  }
}
