// expect: failed deadlock checked_in|open 19|24 more
// Block 0 waits until each other block has checked in, and then lets all of them go on.
__device__ unsigned int checked_in[4096];
__device__ volatile unsigned int open;
__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  __shared__ unsigned int s[7];
  for (unsigned int b = threadIdx.x; b < 7; b += blockDim.x) s[b] = 0;
  __syncthreads();
  const unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < length) {
    const int letter = data[i] - 'a';
    if (letter >= 0 && letter < 26) atomicAdd(&s[letter / 4], 1u);
  }
  __syncthreads();
  for (unsigned int b = threadIdx.x; b < 7; b += blockDim.x) atomicAdd(&histo[b], s[b]);
  __threadfence();
  if (blockIdx.x == 0) {
    for (unsigned int other = 1 + threadIdx.x; other < gridDim.x; other += blockDim.x)
      while (atomicCAS(&checked_in[other], 1u, 1u) == 0) __nanosleep(50);
    __syncthreads();
    if (threadIdx.x == 0) open = 1;
  } else if (threadIdx.x == 0) {
    atomicExch(&checked_in[blockIdx.x], 1u);
    while (open == 0) __nanosleep(50);
  }
}
