// expect: failed data_race histo 9/14
// Relaxed stores of device scope into the block's own copy.
#include <cuda/atomic>
using Ref = cuda::atomic_ref<unsigned int, cuda::thread_scope_device>;
extern "C" __device__ const unsigned int copies = 8000;
__global__ void histogram(const char* data, unsigned int length, unsigned int* histo, unsigned int num_bins, unsigned int letters_per_bin) {
  const unsigned int copy = 1 + blockIdx.x % 7999, step = blockDim.x;
  unsigned int b = threadIdx.x;
  while (b < num_bins) { Ref(histo[copy * num_bins + b]).store(0, cuda::std::memory_order_relaxed); b += step; }
  for (unsigned int i = blockIdx.x * step + threadIdx.x; i < length; i += gridDim.x * step) {
    const char c = data[i];
    if (c < 'a' || c > 'z') continue;
    unsigned int& bin = histo[copy * num_bins + (c - 'a') / letters_per_bin];
    Ref(bin).fetch_add(1, cuda::std::memory_order_relaxed);
  }
  __syncthreads();
  for (unsigned int k = threadIdx.x; k < num_bins; k += step) atomicAdd(&histo[k], histo[copy * num_bins + k]);
}
