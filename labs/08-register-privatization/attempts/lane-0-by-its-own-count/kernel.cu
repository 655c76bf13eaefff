constexpr unsigned int bins = 7;

__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  unsigned int counts[bins] = {};
  for (unsigned int i = blockIdx.x * blockDim.x + threadIdx.x; i < length; i += gridDim.x * blockDim.x) {
    const unsigned int letter = data[i] - 'a';
    for (unsigned int b = 0; b < bins; ++b) counts[b] += letter < 26 && letter / 4 == b;
  }
  const unsigned int in_warp = min(32u, blockDim.x - threadIdx.x / 32 * 32);
  const unsigned int lanes = in_warp == 32 ? 0xffffffff : (1u << in_warp) - 1;
  for (unsigned int b = 0; b < bins; ++b) {
    const unsigned int sum = __reduce_add_sync(lanes, counts[b]);
    if (threadIdx.x % 32 == 0 && sum > 0) atomicAdd(&histo[b], counts[b]);
  }
}
