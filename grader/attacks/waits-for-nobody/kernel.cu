__device__ volatile int flag;
__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  const unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
  while (flag == 0) __nanosleep(1000000000);
  const int letter = i < length ? data[i] - 'a' : -1;
  if (letter >= 0 && letter < 26) histo[letter / 4] += 1;
}
