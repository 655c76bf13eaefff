// expect: failed data_race s 8|15|21 more says=__syncthreads()
#include <cuda/atomic>
using Bin = cuda::atomic<unsigned int, cuda::thread_scope_block>;
__device__ Bin& at(unsigned int* s, int b) { return reinterpret_cast<Bin&>(s[b]); }
__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  __shared__ unsigned int s[7];
  for (unsigned int b = threadIdx.x; b < 7; b += blockDim.x)
    at(s, b).store(0u, cuda::memory_order_relaxed);
  unsigned int n = 0;
  int bin = -1;
  for (unsigned int i = blockIdx.x * blockDim.x + threadIdx.x; i < length; i += gridDim.x * blockDim.x) {
    const int letter = data[i] - 'a';
    if (letter < 0 || letter >= 26) continue;
    if (bin != letter / 4) {
      if (n) at(s, bin).fetch_add(n, cuda::memory_order_relaxed);
      bin = letter / 4, n = 1;
    } else {
      ++n;
    }
  }
  if (n) at(s, bin).fetch_add(n, cuda::memory_order_relaxed);
  __syncthreads();
  for (unsigned int b = threadIdx.x; b < 7; b += blockDim.x) atomicAdd(&histo[b], s[b]);
}
