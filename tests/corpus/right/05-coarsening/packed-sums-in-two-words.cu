// expect: passed
// The same with two words of four bytes.
extern "C" __device__ const unsigned int coarsening_factor = 16;
__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  __shared__ unsigned int lo[1024], hi[1024];
  unsigned int a = 0, c = 0;
  const unsigned int begin = (blockIdx.x * blockDim.x + threadIdx.x) * coarsening_factor;
  for (unsigned int k = 0; k < coarsening_factor && begin + k < length; ++k) {
    const int l = data[begin + k] - 'a';
    if (l >= 0 && l < 16) a += 1u << (l / 4 * 8);
    if (l >= 16 && l < 26) c += 1u << ((l - 16) / 4 * 8);
  }
  lo[threadIdx.x] = a; hi[threadIdx.x] = c;
  __syncthreads();
  for (unsigned int b = threadIdx.x; b < 7; b += blockDim.x) {
    unsigned int sum = 0;
    for (unsigned int t = 0; t < blockDim.x; ++t) sum += (b < 4 ? lo[t] >> (b * 8) : hi[t] >> ((b - 4) * 8)) & 255;
    if (sum) atomicAdd(&histo[b], sum);
  }
}
