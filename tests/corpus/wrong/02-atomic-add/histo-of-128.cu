// expect: failed out_of_bounds histo 5
__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= length) return;
  atomicAdd(histo + data[i], 1u);
}
