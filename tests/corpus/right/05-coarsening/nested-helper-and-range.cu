// expect: passed
struct Range {
  unsigned int first, last;
};
__device__ Range my_range(unsigned int length, unsigned int each) {
  const unsigned int first = (blockIdx.x * blockDim.x + threadIdx.x) * each;
  return {first < length ? first : length, first + each < length ? first + each : length};
}
__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  __shared__ unsigned int h[7];
  for (unsigned int b = threadIdx.x; b < 7; b += blockDim.x) h[b] = 0;
  __syncthreads();
  const Range r = my_range(length, 8);
  for (const char *p = data + r.first, *end = data + r.last; p != end; ++p)
    if (*p >= 'a' && *p <= 'z') atomicAdd(&h[(*p - 'a') / 4], 1u);
  __syncthreads();
  for (unsigned int b = threadIdx.x; b < 7; b += blockDim.x) atomicAdd(&histo[b], h[b]);
}
