// expect: passed
#ifndef __CUDACC__
#error "compile with a CUDA compiler"
#endif
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 300
#error "too old"
#endif
__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  __shared__ unsigned int copies[2][7];
  const int copy = (threadIdx.x / warpSize) % 2;
  for (int k = threadIdx.x; k < 14; k += blockDim.x) (&copies[0][0])[k] = 0;
  __syncthreads();
  const unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < length && data[i] >= 'a' && data[i] <= 'z') atomicAdd(&copies[copy][(data[i] - 'a') / 4], 1u);
  __syncthreads();
  for (int b = threadIdx.x; b < 7; b += blockDim.x) atomicAdd(&histo[b], copies[0][b] + copies[1][b]);
}
