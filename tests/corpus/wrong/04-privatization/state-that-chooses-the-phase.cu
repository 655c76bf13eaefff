// expect: failed data_race state 11/18 first more
// A state in shared memory chooses the phase; thread 0 changes it while others have not read it yet.
__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  __shared__ unsigned int mine[7];
  __shared__ int state;
  const unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (threadIdx.x == 0) state = 0;
  __syncthreads();
  bool running = true;
  while (running) {
    switch (state) {
      case 0: for (unsigned int b = threadIdx.x; b < 7; b += blockDim.x) mine[b] = 0; break;
      case 1: if (i < length && data[i] >= 'a' && data[i] <= 'z') atomicAdd(&mine[(data[i] - 'a') / 4], 1u); break;
      case 2: for (unsigned int b = threadIdx.x; b < 7; b += blockDim.x) atomicAdd(&histo[b], mine[b]); break;
      default: running = false;
    }
    __syncthreads();
    if (threadIdx.x == 0) state++;
  }
}
