// expect: passed
__device__ __forceinline__ int bin_of(char c) {
  switch (c) {
    case 'a': case 'b': case 'c': case 'd': return 0;
    case 'e': case 'f': case 'g': case 'h': return 1;
    case 'i': case 'j': case 'k': case 'l': return 2;
    case 'm': case 'n': case 'o': case 'p': return 3;
    case 'q': case 'r': case 's': case 't': return 4;
    case 'u': case 'v': case 'w': case 'x': return 5;
    case 'y': case 'z': return 6;
    default: return -1;
  }
}
__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < (int)length) {
    int b = bin_of(data[i]);
    if (b != -1) atomicAdd(&histo[b], 1);
  }
}
