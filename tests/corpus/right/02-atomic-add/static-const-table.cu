// expect: passed
__device__ int lookup(int letter) {
  static const int upper[7] = {3, 7, 11, 15, 19, 23, 25};
  for (int b = 0; b < 7; b++)
    if (letter <= upper[b]) return b;
  return 7;
}
__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < length) {
    int letter = data[i] - 'a';
    if (letter >= 0) {
      int b = lookup(letter);
      if (b < 7) atomicAdd(&histo[b], 1u);
    }
  }
}
