// expect: passed
__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  const unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
  const bool inside = i < length;
  const char c = inside ? data[i] : '?';
  const bool letter = c >= 'a' & c <= 'z';
  atomicAdd(&histo[letter ? (c - 'a') / 4 : 0], letter ? 1u : 0u);
}
