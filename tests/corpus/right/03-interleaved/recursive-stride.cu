// expect: passed
__device__ void visit(const char* data, unsigned int i, unsigned int length, unsigned int step, unsigned int* histo) {
  if (i >= length) return;
  const int l = data[i] - 'a';
  if (l >= 0 && l < 26) atomicAdd(&histo[l / 4], 1u);
  visit(data, i + step, length, step, histo);
}
__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  visit(data, blockIdx.x * blockDim.x + threadIdx.x, length, gridDim.x * blockDim.x, histo);
}
