struct Counter { unsigned int value; };
__device__ __attribute__((noipa)) Counter next(Counter c) { return {c.value + 1}; }
__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  const unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
  const int letter = i < length ? data[i] - 'a' : -1;
  if (letter >= 0 && letter < 26) *reinterpret_cast<Counter*>(&histo[letter / 4]) = next(*reinterpret_cast<Counter*>(&histo[letter / 4]));
}
