// expect: passed
// Each warp owns a contiguous range of rows of 32 bytes: partitioned by warp, coalesced within it.
__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  const unsigned int warps_per_block = (blockDim.x + 31) / 32;
  const unsigned int warp = blockIdx.x * warps_per_block + threadIdx.x / 32;
  const unsigned int lane = threadIdx.x % 32;
  const unsigned int lanes = min(32u, blockDim.x - threadIdx.x / 32 * 32);
  const unsigned int share = (length + gridDim.x * warps_per_block - 1) / (gridDim.x * warps_per_block);
  const unsigned int begin = min(length, warp * share), end = min(length, begin + share);
  for (unsigned int i = begin + lane; i < end; i += lanes) {
    const int l = data[i] - 'a';
    if (l >= 0 && l < 26) atomicAdd(&histo[l / 4], 1u);
  }
}
