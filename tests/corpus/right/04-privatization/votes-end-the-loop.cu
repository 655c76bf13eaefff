// expect: passed
// A vote of the block ends the loop, so that all threads reach the same barriers.
__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  __shared__ unsigned int mine[7];
  for (unsigned int b = threadIdx.x; b < 7; b += blockDim.x) mine[b] = 0;
  const unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
  int rounds = threadIdx.x % 3;
  while (__syncthreads_or(rounds > 0)) --rounds;
  if (i < length && data[i] >= 'a' && data[i] <= 'z') atomicAdd(&mine[(data[i] - 'a') / 4], 1u);
  if (!__syncthreads_count(i < length)) return;
  for (unsigned int b = threadIdx.x; b < 7; b += blockDim.x) atomicAdd(&histo[b], mine[b]);
}
