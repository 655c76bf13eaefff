// expect: passed
extern "C" __device__ const unsigned int coarsening_factor = 16;
template <unsigned int Factor>
__device__ void count(const char* data, unsigned int length, unsigned int* h) {
  unsigned int i = (blockIdx.x * blockDim.x + threadIdx.x) * Factor;
#pragma unroll
  for (unsigned int k = 0; k < Factor; ++k, ++i) {
    if (i >= length) return;
    const char c = data[i];
    if (c >= 'a' && c <= 'z') atomicAdd(&h[(c - 'a') >> 2], 1u);
  }
}
__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  __shared__ unsigned int h[7];
  for (unsigned int b = threadIdx.x; b < 7; b += blockDim.x) h[b] = 0;
  __syncthreads();
  count<coarsening_factor>(data, length, h);
  __syncthreads();
  for (unsigned int b = threadIdx.x; b < 7; b += blockDim.x)
    if (h[b]) atomicAdd(&histo[b], h[b]);
}
