// expect: failed out_of_bounds data 6
// length - 1 is 4294967295 when there is nothing.
__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i == 0) {
    const char c = data[length - 1];
    if (c >= 'a' && c <= 'z') atomicAdd(&histo[(c - 'a') / 4], 1u);
  }
  if (i + 1 < length) {
    const char c = data[i];
    if (c >= 'a' && c <= 'z') atomicAdd(&histo[(c - 'a') / 4], 1u);
  }
}
