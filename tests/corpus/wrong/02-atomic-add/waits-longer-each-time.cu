// expect: failed deadlock arrived 13/11
// cuda::atomic_ref with acquire, and a backoff that grows.
#include <cuda/atomic>
__device__ unsigned int arrived;
__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  const unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < length && data[i] >= 'a' && data[i] <= 'z') atomicAdd(&histo[(data[i] - 'a') / 4], 1u);
  __syncthreads();
  if (threadIdx.x == 0) {
    cuda::atomic_ref<unsigned int, cuda::thread_scope_device> count(arrived);
    const unsigned int goal = (count.fetch_add(1, cuda::memory_order_acq_rel) / gridDim.x + 1) * gridDim.x;
    unsigned int ns = 8;
    while (count.load(cuda::memory_order_acquire) < goal) {
      __nanosleep(ns);
      if (ns < 256) ns *= 2;
    }
  }
}
