// expect: failed data_race w 16/13 first more
// Thread 0 counts down while other threads may not have tested yet: the number of rounds, and so of barriers, depends on the race.
struct Work {
  unsigned int bins[7];
  int left;
};
__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  __shared__ Work w;
  const unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
  for (unsigned int b = threadIdx.x; b < 7; b += blockDim.x) w.bins[b] = 0;
  if (threadIdx.x == 0) w.left = 2;
  __syncthreads();
  for (bool count = true; w.left > 0; count = false) {
    if (count && i < length && data[i] >= 'a' && data[i] <= 'z') atomicAdd(&w.bins[(data[i] - 'a') / 4], 1u);
    __syncthreads();
    if (threadIdx.x == 0) w.left = 0;
  }
  __syncthreads();
  for (unsigned int b = threadIdx.x; b < 7; b += blockDim.x) atomicAdd(&histo[b], w.bins[b]);
}
