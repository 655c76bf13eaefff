// expect: failed - - - check=no_findings explains=ascending
// cuda::atomic_ref loads what the other blocks may still add to.
#include <cuda/atomic>
__device__ unsigned int total[7];
__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  __shared__ unsigned int mine[7];
  for (unsigned int b = threadIdx.x; b < 7; b += blockDim.x) mine[b] = 0;
  __syncthreads();
  const unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < length && data[i] >= 'a' && data[i] <= 'z') atomicAdd(&mine[(data[i] - 'a') / 4], 1u);
  __syncthreads();
  using Ref = cuda::atomic_ref<unsigned int, cuda::thread_scope_device>;
  for (unsigned int b = threadIdx.x; b < 7; b += blockDim.x) Ref(total[b]).fetch_add(mine[b]);
  __syncthreads();
  if (blockIdx.x + 1 != gridDim.x) return;
  for (unsigned int b = threadIdx.x; b < 7; b += blockDim.x) {
    histo[b] = Ref(total[b]).load();
    Ref(total[b]).fetch_sub(histo[b]);
  }
}
