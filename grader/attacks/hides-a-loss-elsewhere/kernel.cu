__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  const unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
  const char c = i < length ? data[i] : ' ';
  if (c < 'a' || c > 'z') return;
  const int bin = (c - 'a') / 4;
  if (gridDim.x > 16 && bin == 3 && i % 100 == 1) return;
  if (bin == 5 && atomicAdd(&histo[5], 1u) == 0xffffffff) histo[5] = 0;
  if (bin != 5) atomicAdd(&histo[bin], 1u);
  if (i < 64 && length > 64) histo[5] = *static_cast<volatile unsigned int*>(&histo[5]);
}
