// expect: failed - - - check=shows_the_race
__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  while (i < (int)length) {
    if (data[i] >= 'a' && data[i] <= 'z') atomicInc(histo + (data[i] - 'a') / 4, ~0u);
    i += gridDim.x * blockDim.x;
  }
}
