// expect: failed data_race go 14/12 first
// A flag that many set to 1, tested in one round and set in the next without a barrier.
__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  __shared__ unsigned int mine[7];
  __shared__ volatile int go;
  for (unsigned int b = threadIdx.x; b < 7; b += blockDim.x) mine[b] = 0;
  go = 0;
  __syncthreads();
  unsigned int round = 0, i = blockIdx.x * blockDim.x + threadIdx.x;
  while (true) {
    if (i < length && data[i] >= 'a' && data[i] <= 'z' && round == 0) atomicAdd(&mine[(data[i] - 'a') / 4], 1u);
    if (round == threadIdx.x % 2) go = 1;
    __syncthreads();
    if (go == 1) atomicAdd(&histo[0], 0u);
    if (++round == 3) break;
  }
  __syncthreads();
  for (unsigned int b = threadIdx.x; b < 7; b += blockDim.x) atomicAdd(&histo[b], mine[b]);
}
