// expect: passed
// Saved by an editor that ends lines in CR LF, and without an end of the last line: grüße.
__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < length \
      && data[i] >= 'a' && data[i] <= 'z')
    atomicAdd(&histo[(data[i] - 'a') / 4], 1u);
}