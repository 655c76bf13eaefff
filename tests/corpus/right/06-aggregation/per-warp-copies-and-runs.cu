// expect: passed
__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  __shared__ unsigned int copy[8][8];
  unsigned int* const mine = copy[threadIdx.x >> 5];
  for (unsigned int k = threadIdx.x; k < 64; k += blockDim.x) copy[k / 8][k % 8] = 0;
  __syncthreads();
  int held = 7;  // the eighth bin takes what is nothing
  unsigned int n = 0;
  for (unsigned int i = blockIdx.x * blockDim.x + threadIdx.x; i < length; i += gridDim.x * blockDim.x) {
    const unsigned int l = (unsigned char)data[i] - 'a';
    const int b = l < 26 ? (int)(l / 4) : 7;
    if (b != held) {
      if (held != 7) atomicAdd(mine + held, n);
      held = b;
      n = 0;
    }
    ++n;
  }
  if (held != 7) atomicAdd(mine + held, n);
  __syncthreads();
  for (unsigned int b = threadIdx.x; b < 7; b += blockDim.x) {
    unsigned int sum = 0;
    for (int w = 0; w < 8; ++w) sum += copy[w][b];
    atomicAdd(histo + b, sum);
  }
}
