template <unsigned int Bins, unsigned int MaxWarps>
struct WarpHistograms {
  unsigned int count[MaxWarps][Bins];
};

__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  __shared__ WarpHistograms<7, 32> copies;
  const unsigned int warp = threadIdx.x / 32;
  const unsigned int lane = threadIdx.x % 32;
  const unsigned int warps = (blockDim.x + 31) / 32;

  for (unsigned int k = threadIdx.x; k < warps * 7; k += blockDim.x) {
    copies.count[k / 7][k % 7] = 0;
  }
  __syncthreads();

  const unsigned int i = blockIdx.x * blockDim.x + warp * 32 + lane;
  if (i < length) {
    const unsigned int letter = static_cast<unsigned char>(data[i]) - 'a';
    if (letter < 26) {
      atomicAdd(&copies.count[warp][letter / 4], 1u);
    }
  }
  __syncthreads();

  for (unsigned int bin = threadIdx.x; bin < 7; bin += blockDim.x) {
    unsigned int sum = 0;
    for (unsigned int w = 0; w < warps; ++w) {
      sum += copies.count[w][bin];
    }
    atomicAdd(histo + bin, sum);
  }
}
