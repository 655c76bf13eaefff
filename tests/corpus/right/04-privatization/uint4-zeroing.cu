// expect: passed
__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  __shared__ __align__(16) unsigned int s[8];
  if (threadIdx.x < 2) reinterpret_cast<uint4*>(s)[threadIdx.x] = make_uint4(0, 0, 0, 0);
  if (blockDim.x == 1) reinterpret_cast<uint4*>(s)[1] = make_uint4(0, 0, 0, 0);
  __syncthreads();
  const unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < length && data[i] >= 'a' && data[i] <= 'z') atomicAdd(&s[(data[i] - 'a') / 4], 1u);
  __syncthreads();
  if (threadIdx.x == 0) {
    const uint4 low = *(const uint4*)s, high = *(const uint4*)(s + 4);
    const unsigned int all[7] = {low.x, low.y, low.z, low.w, high.x, high.y, high.z};
    for (int b = 0; b < 7; ++b) atomicAdd(histo++, all[b]);
  }
}
