// expect: passed
// A row of plain counters per thread in shared memory, each touched by its owner only until the barrier.
__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  __shared__ unsigned int rows[7][256 + 1];
  for (int b = 0; b < 7; ++b) rows[b][threadIdx.x] = 0;
  for (unsigned int i = blockIdx.x * blockDim.x + threadIdx.x; i < length; i += gridDim.x * blockDim.x)
    if (data[i] >= 'a' && data[i] <= 'z') rows[(data[i] - 'a') / 4][threadIdx.x]++;
  __syncthreads();
  for (unsigned int b = threadIdx.x; b < 7; b += blockDim.x) {
    unsigned int sum = 0;
    for (unsigned int t = 0; t < blockDim.x; ++t) sum += rows[b][t];
    atomicAdd(&histo[b], sum);
  }
}
