// expect: passed
// A lock per bin by atomicExch; the winner of the lock leaves the loop at once, so no lane waits for its neighbour.
__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  __shared__ unsigned int s[7];
  __shared__ int lock[7];
  for (int b = threadIdx.x; b < 7; b += blockDim.x) s[b] = 0, lock[b] = 0;
  __syncthreads();
  const unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < length && data[i] >= 'a' && data[i] <= 'z') {
    const int b = (data[i] - 'a') / 4;
    for (bool done = false; !done;) {
      if (atomicExch(&lock[b], 1) == 0) {
        __threadfence_block();
        ((volatile unsigned int*)s)[b]++;
        __threadfence_block();
        atomicExch(&lock[b], 0);
        done = true;
      }
    }
  }
  __syncthreads();
  for (int b = threadIdx.x; b < 7; b += blockDim.x) atomicAdd(&histo[b], s[b]);
}
