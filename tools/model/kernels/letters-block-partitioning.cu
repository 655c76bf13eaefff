// Each thread counts a contiguous share straight into global memory.
__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  const unsigned int threads = gridDim.x * blockDim.x;
  const unsigned int share = (length + threads - 1) / threads;
  const unsigned int begin = (blockIdx.x * blockDim.x + threadIdx.x) * share;
  for (unsigned int i = begin; i < begin + share && i < length; ++i) {
    const int letter = data[i] - 'a';
    if (letter >= 0 && letter < 26) atomicAdd(&histo[letter / 4], 1u);
  }
}
