// expect: failed out_of_bounds rows 4 more
__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  __shared__ unsigned int rows[128][7];
  for (int b = 0; b < 7; ++b) rows[threadIdx.x][b] = 0;
  for (unsigned int i = blockIdx.x * blockDim.x + threadIdx.x; i < length; i += gridDim.x * blockDim.x)
    if (data[i] >= 'a' && data[i] <= 'z') rows[threadIdx.x][(data[i] - 'a') / 4]++;
  __syncthreads();
  for (unsigned int b = threadIdx.x; b < 7; b += blockDim.x) {
    unsigned int sum = 0;
    for (unsigned int t = 0; t < blockDim.x; ++t) sum += rows[t][b];
    atomicAdd(&histo[b], sum);
  }
}
