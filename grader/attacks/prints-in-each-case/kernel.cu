__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  const unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i == 0)
    for (int line = 0; line < 3000; ++line) printf("%d: \"quoted\" <b>&amp;</b> \\ and so on\n", line);
  if (i < length && data[i] >= 'b' && data[i] <= 'z') atomicAdd(&histo[(data[i] - 'a') / 4], 1u);
}
