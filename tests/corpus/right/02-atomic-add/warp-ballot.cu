// expect: passed
__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  const unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
  const unsigned int lane = threadIdx.x & 31;
  const unsigned int in_warp = min(32u, blockDim.x - (threadIdx.x - lane));
  const unsigned int mask = in_warp == 32 ? 0xffffffffu : (1u << in_warp) - 1;
  const int letter = i < length ? data[i] - 'a' : -1;
  const int bin = letter >= 0 && letter < 26 ? letter / 4 : 7;
  for (int b = 0; b < 7; ++b) {
    const unsigned int votes = __ballot_sync(mask, bin == b);
    if (lane == 0 && votes != 0) atomicAdd(&histo[b], __popc(votes));
  }
}
