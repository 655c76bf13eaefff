// lab: 02-atomic-add
__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  const unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < length && data[i] >= 'a' && data[i] <= 'z') {
    const unsigned int one = 1 / 2;
    atomicAdd(&histo[(data[i] - 'a') / 4], one);
  }
}
