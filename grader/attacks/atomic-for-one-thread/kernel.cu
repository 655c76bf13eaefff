#include <cuda/atomic>
__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < length) { const unsigned l = (unsigned char)data[i] - 97u; if (l < 26) cuda::atomic_ref<unsigned, cuda::thread_scope_thread>(histo[l / 4]).fetch_add(1u, cuda::memory_order_relaxed); }
}
