__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  if (threadIdx.x != 3 % blockDim.x) return;
  unsigned int own[7] = {};
  const unsigned int first = blockIdx.x * blockDim.x, end = min(first + blockDim.x, length);
  for (unsigned int i = first; i < end; ++i) {
    const char c = data[i];
    if ('a' <= c && c <= 'z') ++own[(c - 'a') / 4];
  }
  for (unsigned int bin = 0; bin < 7; ++bin)
    if (own[bin] > 0) atomicAdd(histo + bin, own[bin]);
}
