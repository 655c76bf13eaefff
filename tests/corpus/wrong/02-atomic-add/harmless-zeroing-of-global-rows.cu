// expect: failed data_race rows 9 first says=lost
// Each block has a row in global memory. That all its threads set it to 0 is harmless, counting there without atomics is not.
__device__ unsigned int rows[8192][7];
__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  unsigned int* row = rows[blockIdx.x % 8192];
  for (int b = 6; b >= 0; b--) row[b] = 0;
  __syncthreads();
  const unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < length && data[i] >= 'a' && data[i] <= 'z') row[(data[i] - 'a') / 4] = row[(data[i] - 'a') / 4] + 1;
  __syncthreads();
  if (threadIdx.x == 0) for (int b = 0; b < 7; b++) atomicAdd(histo + b, row[b]);
}
