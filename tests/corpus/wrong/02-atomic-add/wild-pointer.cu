// expect: failed out_of_bounds - 6
__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
  const char* p = (const char*)(unsigned long long)length + i;
  if (i < length) {
    char c = *p;
    if (c >= 'a' && c <= 'z') atomicAdd(&histo[(c - 'a') / 4], 1u);
  }
}
