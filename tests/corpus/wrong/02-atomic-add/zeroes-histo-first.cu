// expect: failed data_race histo 4
__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < 7) histo[i] = 0;
  __syncthreads();
  if (i < length && data[i] >= 'a' && data[i] <= 'z') atomicAdd(&histo[(data[i] - 'a') / 4], 1u);
}
