// expect: failed illegal_instruction - 6
__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
  int width = (int)(gridDim.y - 1) * 4;
  if (i < length && data[i] >= 'a' && data[i] <= 'z')
    atomicAdd(&histo[(data[i] - 'a') / width], 1u);
}
