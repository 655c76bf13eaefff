// expect: failed out_of_bounds histo 7
__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  const unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= length) return;
  const int quarter = (data[i] - 'a') / 4;
  if (data[i] <= 'z')
    histo[quarter] += 1;
}
