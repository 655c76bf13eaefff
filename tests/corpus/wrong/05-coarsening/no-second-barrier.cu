// expect: failed data_race h 8|11
__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  __shared__ int h[7];
  if (threadIdx.x == 0) memset(h, 0, sizeof h);
  __syncthreads();
  for (size_t i = blockIdx.x * blockDim.x + threadIdx.x; i < length; i += gridDim.x * blockDim.x) {
    const int l = data[i] - 'a';
    if (l >= 0 && l < 26) atomicAdd(&h[l / 4], 1);
  }
  for (unsigned int b = threadIdx.x; b < 7; b += blockDim.x)
    if (h[b] > 0) atomicAdd(&histo[b], (unsigned int)h[b]);
}
