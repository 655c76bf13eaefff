// expect: failed misaligned_access data 12
extern "C" __device__ const unsigned int coarsening_factor = 6;
__device__ void add(unsigned int c, unsigned int* h) {
  if (c - 'a' < 26u) atomicAdd(&h[(c - 'a') / 4], 1u);
}
__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  __shared__ unsigned int h[7];
  for (unsigned int b = threadIdx.x; b < 7; b += blockDim.x) h[b] = 0;
  __syncthreads();
  const unsigned int first = (blockIdx.x * blockDim.x + threadIdx.x) * 6;
  if (first + 6 <= length) {
    unsigned int w = *(const unsigned int*)(data + first);
    for (int k = 0; k < 4; ++k, w >>= 8) add(w & 255, h);
    add((unsigned char)data[first + 4], h);
    add((unsigned char)data[first + 5], h);
  } else {
    for (unsigned int i = first; i < length; ++i) add((unsigned char)data[i], h);
  }
  __syncthreads();
  for (unsigned int b = threadIdx.x; b < 7; b += blockDim.x) atomicAdd(&histo[b], h[b]);
}
