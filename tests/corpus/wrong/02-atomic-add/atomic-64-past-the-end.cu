// expect: failed out_of_bounds histo 7 more
__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= length || data[i] < 'a' || data[i] > 'z') return;
  const int b = (data[i] - 'a') / 4;
  unsigned long long* pairs = (unsigned long long*)histo;
  atomicAdd(&pairs[b / 2], b % 2 ? 1ull << 32 : 1ull);
}
