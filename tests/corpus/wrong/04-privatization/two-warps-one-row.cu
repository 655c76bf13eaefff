// expect: failed data_race rows 9
// Rows chosen by lane, not by warp, and updated without atomics: lane k of every warp shares row k.
__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  __shared__ unsigned int rows[32][7];
  for (unsigned int k = threadIdx.x; k < 32 * 7; k += blockDim.x) rows[k / 7][k % 7] = 0;
  __syncthreads();
  const unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < length && data[i] >= 'a' && data[i] <= 'z')
    rows[threadIdx.x % 32][(data[i] - 'a') / 4]++;
  __syncthreads();
  for (int b = threadIdx.x; b < 7; b += blockDim.x) {
    unsigned int n = 0;
    for (int r = 0; r < 32; ++r) n += rows[r][b];
    atomicAdd(&histo[b], n);
  }
}
