// lab: 02
// finding: data_race histo 5/8
// try: Remove line 5: histo is already 0 when the kernel starts
__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  if (blockIdx.x == 0 && threadIdx.x < 7) histo[threadIdx.x] = 0;  // -
  __syncthreads();
  const unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < length && data[i] >= 'a' && data[i] <= 'z') atomicAdd(&histo[(data[i] - 'a') / 4], 1u);
}
