// expect: failed data_race tile 7|9
__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  __shared__ char tile[1024];
  const unsigned int step = gridDim.x * blockDim.x;
  for (unsigned int base = blockIdx.x * blockDim.x; base < length; base += step) {
    const unsigned int i = base + threadIdx.x;
    tile[threadIdx.x] = i < length ? data[i] : 0;
    __syncthreads();
    const char c = tile[blockDim.x - 1 - threadIdx.x];
    if (c >= 'a' && c <= 'z') atomicAdd(&histo[(c - 'a') / 4], 1u);
  }
}
