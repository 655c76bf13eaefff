// expect: failed data_race next 10/11 first more
// Thread 0 draws the next chunk while others may still test the last one: they leave the loop at different times.
__device__ unsigned int queue;
__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  __shared__ unsigned int next;
  if (threadIdx.x == 0) next = blockIdx.x;
  __syncthreads();
  for (;;) {
    if (next * blockDim.x >= length) break;
    const unsigned int i = next * blockDim.x + threadIdx.x;
    if (threadIdx.x == 0) next += gridDim.x;
    if (i < length && data[i] >= 'a' && data[i] <= 'z') atomicAdd(&histo[(data[i] - 'a') / 4], 1u);
    __syncthreads();
  }
}
