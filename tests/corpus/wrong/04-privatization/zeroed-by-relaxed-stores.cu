// expect: failed data_race counts 8|14
// Relaxed stores of cuda::atomic_ref are atomic and order nothing.
#include <cuda/atomic>
using counter = cuda::atomic_ref<unsigned int, cuda::thread_scope_block>;

__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  __shared__ unsigned int counts[7];
  for (unsigned int b = threadIdx.x; b < 7; b += blockDim.x) counter(counts[b]).store(0, cuda::memory_order_relaxed);

  const unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < length) {
    const char c = data[i];
    if (c >= 'a' && c <= 'z')
      counter(counts[(c - 'a') / 4]).fetch_add(1, cuda::memory_order_relaxed);
  }
  __syncthreads();
  for (unsigned int b = threadIdx.x; b < 7; b += blockDim.x) atomicAdd(&histo[b], counts[b]);
}
