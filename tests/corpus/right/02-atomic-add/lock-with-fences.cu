// expect: passed
__device__ int mutex = 0;
__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  const unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= length) return;
  const int letter = data[i] - 'a';
  if (letter < 0 || letter > 25) return;
  volatile unsigned int* bins = histo;
  bool done = false;
  while (!done) {
    if (atomicCAS(&mutex, 0, 1) == 0) {
      __threadfence();
      bins[letter / 4] = bins[letter / 4] + 1;
      __threadfence();
      atomicExch(&mutex, 0);
      done = true;
    }
  }
}
