// expect: failed deadlock lock 9|11
// Whoever has the lock waits at the barrier for those who want it.
__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  __shared__ unsigned int lock;
  if (threadIdx.x == 0) lock = 0;
  __syncthreads();
  const unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
  const int letter = i < length ? data[i] - 'a' : -1;
  while (atomicCAS(&lock, 0u, 1u) != 0) {
  }
  __syncthreads();
  if (letter >= 0 && letter < 26) atomicAdd(&histo[letter / 4], 1u);
  atomicExch(&lock, 0u);
}
