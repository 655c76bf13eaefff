// expect: passed
__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < (int)length) {
    int letter = (int)data[i] - 97;
    if (!(letter < 0 || letter > 25)) atomicSub((int*)&histo[letter / 4], -1);
  }
}
