// expect: failed out_of_bounds - 7
__device__ unsigned int* where(unsigned int) { return 0; }
__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < length) {
    unsigned int* p = where(i);
    *p = 1;
    if (data[i] >= 'a' && data[i] <= 'z') atomicAdd(&histo[(data[i] - 'a') / 4], 1u);
  }
}
