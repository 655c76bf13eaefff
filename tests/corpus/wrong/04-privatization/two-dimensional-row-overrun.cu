// expect: failed - - - check=matches_reference
// rows[w][7] is rows[w + 1][0]: inside the array, and counted there.
__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  __shared__ unsigned int rows[9][7];
  for (int k = threadIdx.x; k < 9 * 7; k += blockDim.x) rows[k / 7][k % 7] = 0;
  __syncthreads();
  const unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < length && data[i] >= 'a' && data[i] <= '|') atomicAdd(&rows[threadIdx.x / 32][0] + (data[i] - 'a' + 1) / 4, 1u);
  __syncthreads();
  for (int b = threadIdx.x; b < 7; b += blockDim.x)
    for (int r = 0; r < 8; ++r) atomicAdd(&histo[b], rows[r][b]);
}
