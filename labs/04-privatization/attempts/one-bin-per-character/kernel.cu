constexpr unsigned int bins = 7;

__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  __shared__ unsigned int of_character[128];
  for (unsigned int c = threadIdx.x; c < 128; c += blockDim.x) {
    of_character[c] = 0;
  }
  __syncthreads();

  const unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < length) {
    const char c = data[i];
    atomicAdd(&of_character[c], 1u);
  }
  __syncthreads();

  for (unsigned int bin = threadIdx.x; bin < bins; bin += blockDim.x) {
    unsigned int sum = 0;
    for (unsigned int c = 'a' + 4 * bin; c < 'a' + 4 * bin + 4 && c <= 'z'; ++c) {
      sum += of_character[c];
    }
    atomicAdd(&histo[bin], sum);
  }
}
