// expect: passed
// Even bins in the first pass, odd ones in the second, with a barrier between that all threads reach.
__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
#pragma unroll 1
  for (int pass = 0; pass < 2; ++pass) {
    unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
    while (i < length) {
      const int l = data[i] - 'a';
      const int b = l >= 0 && l < 26 ? l >> 2 : -1;
      if (b >= 0 && b % 2 == pass) atomicAdd(&histo[b], 1u);
      i += gridDim.x * blockDim.x;
    }
    __syncthreads();  // not needed: each addition is atomic
  }
}
