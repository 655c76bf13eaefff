// expect: passed
__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  const char* end = data + length;
  for (const char* p = data + blockIdx.x * blockDim.x + threadIdx.x; p < end; p += gridDim.x * blockDim.x) {
    if (*p < 'a' || *p > 'z') continue;
    atomicAdd(histo + ((*p - 'a') >> 2), 1u);
  }
}
