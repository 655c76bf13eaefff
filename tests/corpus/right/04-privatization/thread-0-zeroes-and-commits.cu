// expect: passed
__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  __shared__ unsigned int s[7];
  if (threadIdx.x == 0)
    for (int b = 0; b < 7; ++b) s[b] = 0;
  __syncthreads();
  const unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < length) {
    const int l = data[i] - 'a';
    if (l >= 0 && l < 26) atomicAdd(s + l / 4, 1u);
  }
  __syncthreads();
  if (threadIdx.x != 0) return;
  for (int b = 0; b < 7; ++b) atomicAdd(histo + b, s[b]);
}
