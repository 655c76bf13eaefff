// expect: compile_error - - 5
// The condition of a ternary is not closed.
__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  const unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
  const int bin = (i < length && data[i] >= 'a' && data[i] <= 'z' ? (data[i] - 'a') / 4 : -1;
  if (bin >= 0) atomicAdd(&histo[bin], 1u);
}
