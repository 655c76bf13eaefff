// lab: 02
// finding: deadlock mutex 7
// try: Give a lock back on every way and before the next barrier
__device__ unsigned int mutex;
__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  const unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (!(i < length && data[i] >= 'a' && data[i] <= 'z')) return;
  while (atomicCAS(&mutex, 0, 1) != 0) {
  }
  atomicAdd(&histo[(data[i] - 'a') / 4], 1u);
//+   __threadfence();
//+   atomicExch(&mutex, 0);
}
