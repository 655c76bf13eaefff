// Lanes of a warp with the same bin elect one lane, which adds for all of them in global memory.
__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  const unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
  int bin = -1;
  if (i < length) {
    const int letter = data[i] - 'a';
    if (letter >= 0 && letter < 26) bin = letter / 4;
  }
  const unsigned int peers = __match_any_sync(0xffffffffu, bin);
  if (bin >= 0 && threadIdx.x % 32 == static_cast<unsigned int>(__ffs(peers)) - 1) atomicAdd(&histo[bin], __popc(peers));
}
