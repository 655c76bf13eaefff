__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  __shared__ unsigned int counts[256][7];
  for (unsigned int bin = 0; bin < 7; ++bin) {
    counts[threadIdx.x][bin] = 0;
  }
  for (unsigned int i = blockIdx.x * blockDim.x + threadIdx.x; i < length; i += gridDim.x * blockDim.x) {
    if (data[i] >= 'a' && data[i] <= 'z') {
      ++counts[threadIdx.x][(data[i] - 'a') / 4];
    }
  }
  __syncthreads();
  for (unsigned int bin = threadIdx.x; bin < 7; bin += blockDim.x) {
    unsigned int sum = 0;
    for (unsigned int thread = 0; thread < blockDim.x; ++thread) {
      sum += counts[thread][bin];
    }
    atomicAdd(&histo[bin], sum);
  }
}
