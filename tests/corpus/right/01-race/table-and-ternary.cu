// expect: passed
__constant__ int bins_of_quarter[8] = {0, 1, 2, 3, 4, 5, 6, 6};
__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  const unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
  const int letter = i < length ? data[i] - 'a' : -1;
  if (letter < 0 || letter > 25) return;
  const int b = bins_of_quarter[letter >> 2];
  histo[b] = histo[b] + 1u;
}
