// expect: failed - - - check=matches_reference
__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  const unsigned int n = length < 512 ? length : 512;
  for (unsigned int i = 0; i < n; ++i)
    if (data[i] >= 'a' && data[i] <= 'z') atomicAdd(&histo[(data[i] - 'a') / 4], 1u);
}
