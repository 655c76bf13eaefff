// expect: passed
__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  __shared__ unsigned int s[7];
  const unsigned int none[7] = {0, 0, 0, 0, 0, 0, 0};
  if (threadIdx.x == 0) memcpy(s, none, sizeof s);
  __syncthreads();
  const unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < length && data[i] >= 'a' && data[i] <= 'z') atomicAdd(&s[(data[i] - 'a') / 4], 1u);
  __syncthreads();
  if (threadIdx.x == 0) {
    unsigned int mine[7];
    memcpy(mine, s, sizeof mine);
    for (int b = 0; b < 7; ++b) atomicAdd(&histo[b], mine[b]);
  }
}
