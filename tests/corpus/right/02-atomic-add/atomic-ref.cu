// expect: passed
#include <cuda/atomic>
__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  const unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < length && data[i] >= 'a' && data[i] <= 'z') {
    cuda::atomic_ref<unsigned int, cuda::thread_scope_device> bin(histo[(data[i] - 'a') / 4]);
    bin.fetch_add(1, cuda::memory_order_relaxed);
  }
}
