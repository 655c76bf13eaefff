__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  if (blockIdx.x != 0 || threadIdx.x != 0) return;
  for (unsigned int i = 0; i < length; ++i)
    if (data[i] >= 'a' && data[i] <= 'z') histo[(data[i] - 'a') / 4] += 1;
}
