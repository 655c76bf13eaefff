// expect: passed
// In shared memory the scope of the block is enough; the commit needs the device's.
#include <cuda/atomic>
__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  __shared__ unsigned int s[7];
  for (int b = threadIdx.x; b < 7; b += blockDim.x) s[b] = 0;
  __syncthreads();
  const unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < length && data[i] >= 'a' && data[i] <= 'z')
    ++cuda::atomic_ref<unsigned int, cuda::thread_scope_block>(s[(data[i] - 'a') / 4]);
  __syncthreads();
  for (int b = threadIdx.x; b < 7; b += blockDim.x)
    cuda::atomic_ref<unsigned int, cuda::thread_scope_device>(histo[b]) += s[b];
}
