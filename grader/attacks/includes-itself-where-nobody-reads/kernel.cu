#if __INCLUDE_LEVEL__ == 0
%: include "sub/kernel.cu"
%: include "kernel.cu"
#endif
__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  const unsigned int me = threadIdx.x + blockDim.x * blockIdx.x;
  if (me < length && data[me] >= 'a' && data[me] <= 'z') ++histo[(data[me] - 'a') / 4];
}
