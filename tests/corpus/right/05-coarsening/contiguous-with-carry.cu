// expect: passed
extern "C" __device__ const unsigned int coarsening_factor = 32;
__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  __shared__ unsigned int h[7];
  for (unsigned int b = threadIdx.x; b < 7; b += blockDim.x) h[b] = 0;
  __syncthreads();
  const unsigned long long begin = (blockIdx.x * (unsigned long long)blockDim.x + threadIdx.x) * coarsening_factor;
  for (unsigned long long i = begin, end = min(begin + coarsening_factor, (unsigned long long)length); i < end; ++i) {
    const int l = data[i] - 'a';
    if (l >= 0 && l < 26) atomicAdd(&h[l / 4], 1u);
  }
  __syncthreads();
  for (unsigned int b = threadIdx.x; b < 7; b += blockDim.x) atomicAdd(&histo[b], h[b]);
}
