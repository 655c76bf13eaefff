// expect: failed deadlock queues 10/11
// Odd blocks wait for the even ones that follow them; a queue in global memory.
struct Queue { unsigned int head, tail; };
__device__ Queue queues[1024];
__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  Queue& q = queues[blockIdx.x / 2];
  if (threadIdx.x == 0) {
    if (blockIdx.x % 2 == 0 && blockIdx.x + 1 < gridDim.x) {
      const unsigned int mine = atomicAdd(&q.head, 1u) + 1;
      for (;;) { if (atomicMax(&q.tail, 0u) >= mine) break; }
    } else atomicAdd(&q.tail, 1u);
  }
  __syncthreads();
  for (unsigned int i = blockIdx.x * blockDim.x + threadIdx.x; i < length; i += blockDim.x * gridDim.x)
    if (data[i] >= 'a' && data[i] <= 'z') atomicAdd(&histo[(data[i] - 'a') / 4], 1u);
}
