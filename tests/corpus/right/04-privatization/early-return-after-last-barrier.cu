// expect: passed
__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  __shared__ unsigned int mine[7];
  unsigned int t = threadIdx.x;
  do {
    if (t < 7) mine[t] = 0;
    t += blockDim.x;
  } while (t < 7);
  __syncthreads();
  unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
  int l = i < length ? (int)data[i] - 'a' : -1;
  if (l >= 0 && l < 26) atomicAdd(&mine[l / 4], 1);
  __syncthreads();
  if (threadIdx.x >= 7) return;
  for (t = threadIdx.x; t < 7; t += blockDim.x) {
    if (mine[t] == 0) continue;
    atomicAdd(&histo[t], mine[t]);
  }
}
