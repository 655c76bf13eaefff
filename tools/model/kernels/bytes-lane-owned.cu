// 256 bins, a copy per lane: only lane l uses bank l, so lanes of a warp never conflict.
constexpr unsigned int bins = 256, lanes = 32;
__device__ void count(unsigned int word, unsigned int* counts, unsigned int lane) {
#pragma unroll
  for (int k = 0; k < 4; ++k) atomicAdd(&counts[(word >> 8 * k & 0xffu) * lanes + lane], 1u);
}
__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  __shared__ unsigned int counts[bins * lanes];
  for (unsigned int k = threadIdx.x; k < bins * lanes; k += blockDim.x) counts[k] = 0;
  __syncthreads();
  const unsigned int threads = gridDim.x * blockDim.x, id = blockIdx.x * blockDim.x + threadIdx.x, lane = threadIdx.x % lanes;
  const uint4* quads = reinterpret_cast<const uint4*>(data);
  for (unsigned int q = id; q < length / 16; q += threads) {
    const uint4 v = quads[q];
    count(v.x, counts, lane), count(v.y, counts, lane), count(v.z, counts, lane), count(v.w, counts, lane);
  }
  for (unsigned int i = length / 16 * 16 + id; i < length; i += threads) atomicAdd(&counts[static_cast<unsigned char>(data[i]) * lanes + lane], 1u);
  __syncthreads();
  for (unsigned int bin = threadIdx.x / lanes; bin < bins; bin += blockDim.x / lanes) {
    const unsigned int sum = __reduce_add_sync(0xffffffffu, counts[bin * lanes + lane]);
    if (lane == 0) atomicAdd(&histo[bin], sum);
  }
}
