// expect: failed out_of_bounds malloc@6 11
// Every thread of the block gives back what one of them got.
__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  __shared__ unsigned int* bin;
  const unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (threadIdx.x == 0) bin = (unsigned int*)malloc(blockDim.x * sizeof(unsigned int));
  __syncthreads();
  bin[threadIdx.x] = i < length && data[i] >= 'a' && data[i] <= 'z' ? (data[i] - 'a') / 4 : 7;
  if (bin[threadIdx.x] < 7) atomicAdd(&histo[bin[threadIdx.x]], 1u);
  __syncthreads();
  free(bin);
}
