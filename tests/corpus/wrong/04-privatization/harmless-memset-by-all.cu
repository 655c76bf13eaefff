// expect: failed data_race bins 9 first
// Each thread sets all bins to zero, which does no harm before the barrier. The plain ++ does.
__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  __shared__ unsigned int bins[7];
  memset(bins, 0, sizeof bins);
  __syncthreads();
  unsigned int i = threadIdx.x + blockIdx.x * blockDim.x;
  if (i < length && data[i] >= 'a' && data[i] <= 'z')
    ++bins[(data[i] - 'a') >> 2];
  __syncthreads();
  if (threadIdx.x == 0)
    for (int b = 0; b < 7; b++) atomicAdd(histo + b, bins[b]);
}
