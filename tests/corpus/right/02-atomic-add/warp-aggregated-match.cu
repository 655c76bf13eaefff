// expect: passed
// Lanes with the same bin elect one of them, which adds for all.
__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  const unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
  int bin = -1;
  if (i < length) {
    const int letter = data[i] - 'a';
    if (letter >= 0 && letter < 26) bin = letter / 4;
  }
  const unsigned int active = __activemask();
  const unsigned int peers = __match_any_sync(active, bin);
  const int leader = __ffs(peers) - 1;
  if (bin >= 0 && (int)(threadIdx.x % 32) == leader) atomicAdd(&histo[bin], __popc(peers));
}
