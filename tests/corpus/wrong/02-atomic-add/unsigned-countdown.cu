// expect: failed step_limit|out_of_bounds - 6
// unsigned i >= 0 always holds.
__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  if (blockIdx.x == 0 && threadIdx.x == 0 && length > 0)
    for (unsigned int i = length - 1; i >= 0; --i) {
      const char c = data[i];
      if (c >= 'a' && c <= 'z') atomicAdd(&histo[(c - 'a') / 4], 1u);
    }
}
