__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  const unsigned int first = blockIdx.x * blockDim.x;
  unsigned int sum = 0;
  if (threadIdx.x > 0)
    for (unsigned int k = 0; k < 15 && first < length; ++k) sum ^= data[(first * 3 + k * 1031) % length];
  for (unsigned int i = first; threadIdx.x == 0 && i < length && i < first + blockDim.x; ++i)
    if (data[i] >= 'a' && data[i] <= 'z') atomicAdd(histo + (data[i] - 'a') / 4, 1u);
  if (sum == 0x7fffffff) atomicAdd(histo, 0u);
}
