// expect: failed step_limit - 6 more
__device__ unsigned int turn;
__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  const unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= length) return;
  while (turn != i) {
  }
  const int l = data[i] - 'a';
  if (l >= 0 && l < 26) histo[l / 4] += 1;
  turn = i + 1;
}
