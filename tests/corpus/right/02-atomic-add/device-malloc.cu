// expect: passed
// A histogram of the block's own, on the device's heap: one thread gets it, and the same one gives it back.
__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  __shared__ unsigned int* mine;
  if (threadIdx.x == 0) {
    mine = (unsigned int*)malloc(7 * sizeof(unsigned int));
    for (int b = 0; mine != nullptr && b < 7; ++b) mine[b] = 0;
  }
  __syncthreads();
  unsigned int* to = mine != nullptr ? mine : histo;
  const unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < length && data[i] >= 'a' && data[i] <= 'z') atomicAdd(&to[(data[i] - 'a') / 4], 1u);
  __syncthreads();
  if (threadIdx.x != 0 || mine == nullptr) return;
  for (int b = 0; b < 7; ++b)
    if (mine[b] != 0) atomicAdd(&histo[b], mine[b]);
  free(mine);
}
