struct Counter { unsigned int value; };
__device__ __attribute__((noipa)) Counter next(unsigned int value) { return {value + 1}; }
__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  const unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
  const int letter = i < length ? data[i] - 'a' : -1;
  if (letter < 0 || letter >= 26) return;
  const unsigned int old = atomicAdd(&histo[letter / 4], 0u);
  reinterpret_cast<Counter*>(histo)[letter / 4] = next(old);
}
