// expect: passed
__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  extern __shared__ __align__(16) unsigned char raw[];
  int* bins = reinterpret_cast<int*>(raw);
  int t = threadIdx.x;
  while (t < 7) {
    bins[t] = 0;
    t += blockDim.x;
  }
  __syncthreads();
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < int(length) && data[i] >= 'a' && data[i] <= 'z') atomicAdd(bins + (data[i] - 'a') / 4, 1);
  __syncthreads();
  t = threadIdx.x;
  while (t < 7) {
    atomicAdd(reinterpret_cast<int*>(histo) + t, bins[t]);
    t += blockDim.x;
  }
}
