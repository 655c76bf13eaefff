// expect: passed
// The first warp counts, then hands its counts to the second one by a flag behind a fence; the second one commits them.
__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  __shared__ unsigned int h[7];
  __shared__ unsigned int ready;
  for (int b = threadIdx.x; b < 7; b += blockDim.x) h[b] = 0;
  if (threadIdx.x == 0) ready = 0;
  __syncthreads();
  if (blockDim.x < 33 || threadIdx.x == 0) {
    const unsigned int begin = blockIdx.x * blockDim.x, end = min(begin + blockDim.x, length);
    if (threadIdx.x == 0)
      for (unsigned int i = begin; i < end; ++i)
        if (data[i] >= 'a' && data[i] <= 'z') h[(data[i] - 'a') / 4] += 1;
    __threadfence_block();
    if (threadIdx.x == 0) *(volatile unsigned int*)&ready = 1;
  }
  if (threadIdx.x == (blockDim.x < 33 ? 0 : 32)) {
    while (*(volatile unsigned int*)&ready == 0) {}
    __threadfence_block();
    for (int b = 0; b < 7; ++b) atomicAdd(&histo[b], h[b]);
  }
}
