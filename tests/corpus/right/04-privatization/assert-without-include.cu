// expect: passed
// As nvcc has it, assert is there without <assert.h>.
__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  __shared__ unsigned int counts[7];
  for (unsigned int b = threadIdx.x; b < 7; b += blockDim.x) counts[b] = 0;
  __syncthreads();
  const unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < length && data[i] >= 'a' && data[i] <= 'z') {
    const unsigned int bin = (data[i] - 'a') / 4;
    assert(bin < 7);
    atomicAdd(&counts[bin], 1u);
  }
  __syncthreads();
  for (unsigned int b = threadIdx.x; b < 7; b += blockDim.x) atomicAdd(&histo[b], counts[b]);
}
