// expect: failed out_of_bounds data 6
// Counts its left neighbour; thread 0 has none.
__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i <= (int)length) {
    const char c = data[i - 1];
    if (c >= 'a' && c <= 'z') atomicAdd(&histo[(c - 'a') / 4], 1u);
  }
}
