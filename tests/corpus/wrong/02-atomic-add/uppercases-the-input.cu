// expect: failed write_to_input data 6
__global__ void histogram(char* data, unsigned int length, unsigned int* histo) {
  unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < length) {
    char keep = data[i];
    data[i] = 0;
    if (keep >= 'a' && keep <= 'z') atomicAdd(&histo[(keep - 'a') / 4], 1u);
  }
}
