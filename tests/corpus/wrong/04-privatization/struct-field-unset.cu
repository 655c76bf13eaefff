// expect: failed uninitialized_read mine 13
struct Private {
  unsigned int letters[7];
  unsigned int total;
};
__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  __shared__ Private mine;
  for (int b = threadIdx.x; b < 7; b += blockDim.x) mine.letters[b] = 0;
  __syncthreads();
  const unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < length && data[i] >= 'a' && data[i] <= 'z') {
    atomicAdd(&mine.letters[(data[i] - 'a') / 4], 1u);
    atomicAdd(&mine.total, 1u);
  }
  __syncthreads();
  for (int b = threadIdx.x; b < 7; b += blockDim.x) atomicAdd(&histo[b], mine.letters[b]);
}
