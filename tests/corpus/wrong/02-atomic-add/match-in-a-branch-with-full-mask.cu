// expect: failed invalid_mask - 7
// Only those with a letter make the call, but its mask names the whole warp.
__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  const unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < length && data[i] >= 'a' && data[i] <= 'z') {
    const int bin = (data[i] - 'a') / 4;
    const unsigned int peers = __match_any_sync(0xffffffffu, bin);
    if ((int)(threadIdx.x % 32) == __ffs(peers) - 1) atomicAdd(&histo[bin], __popc(peers));
  }
}
