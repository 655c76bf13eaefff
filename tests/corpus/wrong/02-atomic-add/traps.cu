// expect: failed illegal_instruction - 5
__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= length) return;
  if (data[i] > 'z') __trap();
  if (data[i] >= 'a') atomicAdd(&histo[(data[i] - 'a') / 4], 1u);
}
