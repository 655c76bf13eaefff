// expect: passed
__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  const unsigned int i = __umul24(blockIdx.x, blockDim.x) + threadIdx.x;
  if (i < length) {
    const int l = data[i] - 'a';
    if (__clz(l) != 0 && abs(l) < 26) atomicAdd(&histo[__umulhi((unsigned int)l, 1u << 30)], (unsigned int)__popc(1 << (l & 3)));
  }
}
