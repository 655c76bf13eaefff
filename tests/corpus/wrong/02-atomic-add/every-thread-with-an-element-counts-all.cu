// expect: failed - - - check=matches_reference explains=share
// The bound check of the pattern, and behind it the loop of a sequential program.
__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  int idx = threadIdx.x + blockIdx.x * blockDim.x;
  if (idx < length)
    for (int i = 0; i < length; ++i) {
      const char c = data[i];
      if (c >= 'a' && c <= 'z') atomicAdd(&histo[(c - 'a') / 4], 1u);
    }
}
