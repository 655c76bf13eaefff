// expect: failed uninitialized_read new@7 8|9|11 more
// The block's own counters come from the heap as they are.
__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  __shared__ unsigned int* mine;
  const unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
  const bool letter = i < length && data[i] >= 'a' && data[i] <= 'z';
  if (threadIdx.x == 0) mine = new unsigned int[7];
  __syncthreads();
  if (letter) atomicAdd(&mine[(data[i] - 'a') / 4], 1u);
  __syncthreads();
  if (threadIdx.x < 7) atomicAdd(&histo[threadIdx.x], mine[threadIdx.x]);
  __syncthreads();
  if (threadIdx.x == 0) delete[] mine;
}
