// expect: failed data_race histo 6/7 first says=lost
// Past the first-level cache, but not in one step.
__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  for (unsigned int i = blockIdx.x * blockDim.x + threadIdx.x; i < length; i += gridDim.x * blockDim.x)
    if (data[i] >= 'a' && data[i] <= 'z') {
      const unsigned int old = __ldcg(&histo[(data[i] - 'a') / 4]);
      __stcg(&histo[(data[i] - 'a') / 4], old + 1);
    }
}
