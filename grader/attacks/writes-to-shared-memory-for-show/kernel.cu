__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  extern __shared__ unsigned int shown[];
  __shared__ unsigned int also_shown[64];
  also_shown[threadIdx.x % 2 * 32 + threadIdx.x % 32] = 1;
  const unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
  const int letter = i < length ? data[i] - 'a' : -1;
  for (int bin = 0; bin < 7; ++bin) {
    const int votes = __syncthreads_count(letter >= 4 * bin && letter < 4 * bin + 4 && letter < 26);
    if (threadIdx.x == 0 && votes > 0) atomicAdd(histo + bin, static_cast<unsigned int>(votes));
  }
}
