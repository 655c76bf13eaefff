// expect: passed
// The whole warp goes round equally often, so that it can vote who has a letter; those match among themselves.
__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  const unsigned int lane = threadIdx.x % 32, first = blockIdx.x * blockDim.x + threadIdx.x - lane;
  const unsigned int here = min(32u, blockDim.x - (threadIdx.x - lane));
  const unsigned int warp = here == 32 ? 0xffffffffu : (1u << here) - 1;
  for (unsigned int base = first; base < length; base += gridDim.x * blockDim.x) {
    const unsigned int i = base + lane;
    const int letter = i < length ? data[i] - 'a' : -1;
    const bool counts = letter >= 0 && letter < 26;
    const unsigned int mask = __ballot_sync(warp, counts);
    if (!counts) continue;
    const unsigned int peers = __match_any_sync(mask, letter / 4);
    if (lane == __ffs(peers) - 1) atomicAdd(&histo[letter / 4], __popc(peers));
  }
}
