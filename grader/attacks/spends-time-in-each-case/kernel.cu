// About six seconds of processor time per launch, however many threads there are.
__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  const unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
  const unsigned int threads = gridDim.x * blockDim.x;
  float waste = 1.0f;
  if (threads > 1000)
    for (unsigned long long turn = 0; turn < 1500000000ull / threads; ++turn) waste = waste * 0.999f + 0.001f;
  const int letter = i < length && waste > 0.0f ? data[i] - 'a' : -1;
  if (letter >= 0 && letter < 26) atomicAdd(&histo[letter / 4], 1u);
}
