// expect: failed deadlock done 13
// A thread sleeps between two looks at a counter that only the other blocks can complete.
struct Progress {
  volatile unsigned int blocks;
};
__device__ Progress done;
__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  const unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < length && data[i] >= 'a' && data[i] <= 'z') atomicAdd(&histo[(data[i] - 'a') / 4], 1u);
  __syncthreads();
  if (threadIdx.x != 0) return;
  __threadfence();
  for (atomicAdd((unsigned int*)&done.blocks, 1u); done.blocks % gridDim.x != 0; __nanosleep(100)) {
  }
}
