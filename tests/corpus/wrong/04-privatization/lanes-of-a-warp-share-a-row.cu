// expect: failed data_race rows 10
// "A warp runs in step, so no atomics are needed."
__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  __shared__ unsigned int rows[8][7];
  for (int k = threadIdx.x; k < 56; k += blockDim.x) rows[k / 7][k % 7] = 0;
  __syncthreads();
  const unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < length && data[i] >= 'a' && data[i] <= 'z') {
    unsigned int* mine = rows[threadIdx.x / 32];
    mine[(data[i] - 'a') / 4] += 1;
  }
  __syncthreads();
  for (int b = threadIdx.x; b < 7; b += blockDim.x) {
    unsigned int n = 0;
    for (int w = 0; w < 8; ++w) n += rows[w][b];
    atomicAdd(&histo[b], n);
  }
}
