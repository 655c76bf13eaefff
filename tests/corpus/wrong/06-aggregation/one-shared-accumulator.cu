// expect: failed data_race n|held 13|14|15|16|18 more
// The accumulator is meant to be private, but is shared by the block.
__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  __shared__ unsigned int h[7];
  __shared__ unsigned int n;
  __shared__ int held;
  for (unsigned int b = threadIdx.x; b < 7; b += blockDim.x) h[b] = 0;
  if (threadIdx.x == 0) n = 0, held = 0;
  __syncthreads();
  for (unsigned int i = blockIdx.x * blockDim.x + threadIdx.x; i < length; i += gridDim.x * blockDim.x) {
    const int l = data[i] - 'a';
    if (l < 0 || l > 25) continue;
    if (l / 4 != held) {
      atomicAdd(&h[held], n);
      held = l / 4;
      n = 0;
    }
    ++n;
  }
  __syncthreads();
  if (threadIdx.x == 0) atomicAdd(&h[held], n);
  __syncthreads();
  for (unsigned int b = threadIdx.x; b < 7; b += blockDim.x) atomicAdd(&histo[b], h[b]);
}
