// expect: failed out_of_bounds data 5
// The load stands before the test of the index, also where an optimizer would move it behind.
__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  const unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
  const char letter = data[i];
  if (i < length) {
    if (letter >= 'a' && letter <= 'z') atomicAdd(&histo[(letter - 'a') / 4], 1u);
  }
}
