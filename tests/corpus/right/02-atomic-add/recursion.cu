// expect: passed
__device__ int bin_by_subtraction(int letter) { return letter < 4 ? 0 : 1 + bin_by_subtraction(letter - 4); }
__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < length) {
    int letter = data[i] - 'a';
    if (letter >= 0 && letter <= 'z' - 'a') atomicAdd(&histo[bin_by_subtraction(letter)], 1u);
  }
}
