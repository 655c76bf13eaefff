// expect: passed
__device__ void bump(unsigned int* p) {
  unsigned int seen;
  do seen = *(volatile unsigned int*)p;
  while (atomicCAS(p, seen, seen + 1) != seen);
}
__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  for (unsigned int i = blockIdx.x * blockDim.x + threadIdx.x; i < length; i += gridDim.x * blockDim.x)
    if (data[i] >= 'a' && data[i] <= 'z') bump(&histo[(data[i] - 'a') / 4]);
}
