// expect: passed
// Eight bytes in one load; the thread that meets the end reads bytes.
__device__ __forceinline__ void add(unsigned int c, unsigned int* h) {
  c -= 'a';
  if (c < 26) atomicAdd(h + (c >> 2), 1u);
}
__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  __shared__ unsigned int h[7];
  for (unsigned int b = threadIdx.x; b < 7; b += blockDim.x) h[b] = 0;
  __syncthreads();
  const unsigned int first = 8 * (blockIdx.x * blockDim.x + threadIdx.x);
  if (first + 8 <= length) {
    const uint2 v = *reinterpret_cast<const uint2*>(data + first);
    for (int k = 0; k < 32; k += 8) {
      add(v.x >> k & 0xff, h);
      add(v.y >> k & 0xff, h);
    }
  } else {
    for (unsigned int i = first; i < length; ++i) add((unsigned char)data[i], h);
  }
  __syncthreads();
  for (unsigned int b = threadIdx.x; b < 7; b += blockDim.x) atomicAdd(&histo[b], h[b]);
}
