// expect: failed - - - check=matches_reference whole explains=keeps
// Last block by a ticket that is a cuda::atomic; it is not reset, so the second launch has no last block.
#include <cuda/atomic>
namespace tickets { __device__ cuda::atomic<unsigned int, cuda::thread_scope_device> drawn{0}; }
__device__ unsigned int sums[7];
__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  __shared__ unsigned int mine[7];
  __shared__ bool is_last;
  for (unsigned int b = threadIdx.x; b < 7; b += blockDim.x) mine[b] = 0;
  __syncthreads();
  const unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < length && data[i] >= 'a' && data[i] <= 'z') atomicAdd(&mine[(data[i] - 'a') / 4], 1u);
  __syncthreads();
  for (unsigned int b = threadIdx.x; b < 7; b += blockDim.x) atomicAdd(&sums[b], mine[b]);
  __threadfence();
  __syncthreads();
  if (threadIdx.x == 0) is_last = tickets::drawn.fetch_add(1) == gridDim.x - 1;
  __syncthreads();
  if (is_last) for (unsigned int b = threadIdx.x; b < 7; b += blockDim.x) histo[b] = atomicExch(&sums[b], 0u);
}
