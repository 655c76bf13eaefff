// 256 bins, one shared copy per block, 16 bytes per load.
constexpr unsigned int bins = 256;
__device__ void count(unsigned int word, unsigned int* counts) {
#pragma unroll
  for (int k = 0; k < 4; ++k) atomicAdd(&counts[word >> 8 * k & 0xffu], 1u);
}
__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  __shared__ unsigned int counts[bins];
  for (unsigned int bin = threadIdx.x; bin < bins; bin += blockDim.x) counts[bin] = 0;
  __syncthreads();
  const unsigned int threads = gridDim.x * blockDim.x, id = blockIdx.x * blockDim.x + threadIdx.x;
  const uint4* quads = reinterpret_cast<const uint4*>(data);
  for (unsigned int q = id; q < length / 16; q += threads) {
    const uint4 v = quads[q];
    count(v.x, counts), count(v.y, counts), count(v.z, counts), count(v.w, counts);
  }
  for (unsigned int i = length / 16 * 16 + id; i < length; i += threads) atomicAdd(&counts[static_cast<unsigned char>(data[i])], 1u);
  __syncthreads();
  for (unsigned int bin = threadIdx.x; bin < bins; bin += blockDim.x) atomicAdd(&histo[bin], counts[bin]);
}
