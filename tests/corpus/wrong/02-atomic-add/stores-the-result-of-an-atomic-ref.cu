// expect: failed data_race histo 9 first says=remove
// fetch_add has added already.
#include <cuda/atomic>
__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= length || data[i] < 'a' || data[i] > 'z') return;
  unsigned int& bin = histo[(data[i] - 'a') / 4];
  cuda::atomic_ref<unsigned int, cuda::thread_scope_device> ref(bin);
  bin = ref.fetch_add(1, cuda::memory_order_relaxed) + 1;
}
