// expect: passed
// What an atomic addition returns is the thread's own rank among equals; it is stored where no other thread writes.
__device__ unsigned int rank_of[1 << 17];
__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  const unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= length || data[i] < 'a' || data[i] > 'z') return;
  rank_of[i % (1 << 17)] = i < (1 << 17) ? atomicAdd(&histo[(data[i] - 'a') / 4], 1u) : 0;
  if (i >= (1 << 17)) atomicAdd(&histo[(data[i] - 'a') / 4], 1u);
}
