// expect: failed out_of_bounds - 7
__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned int* bins = nullptr;
  if (length == 0) bins = histo;
  if (i < length && data[i] >= 'a' && data[i] <= 'z')
    atomicAdd(&bins[(data[i] - 'a') / 4], 1u);
}
