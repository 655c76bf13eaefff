// expect: passed
__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  const unsigned int n = gridDim.x * blockDim.x;
  unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
  auto put = [=](char c) { if (c >= 'a' && c <= 'z') atomicAdd(&histo[(c - 'a') / 4], 1u); };
  for (; i + 3 * n < length; i += 4 * n) {
    const char c0 = data[i], c1 = data[i + n], c2 = data[i + 2 * n], c3 = data[i + 3 * n];
    put(c0); put(c1); put(c2); put(c3);
  }
  for (; i < length; i += n) put(data[i]);
}
