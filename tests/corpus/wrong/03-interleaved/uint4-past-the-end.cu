// expect: failed out_of_bounds data 12
__device__ void four(unsigned int w, unsigned int left, unsigned int* histo) {
  for (unsigned int k = 0; k < 4 && k < left; ++k, w >>= 8) {
    const unsigned int l = (w & 0xff) - 'a';
    if (l < 26) atomicAdd(&histo[l / 4], 1u);
  }
}
__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  const uint4* quads = (const uint4*)data;
  const unsigned int n = (length + 15) / 16;
  for (unsigned int q = blockIdx.x * blockDim.x + threadIdx.x; q < n; q += gridDim.x * blockDim.x) {
    const uint4 v = quads[q];
    const unsigned int left = length - q * 16;
    four(v.x, left, histo);
    if (left > 4) four(v.y, left - 4, histo);
    if (left > 8) four(v.z, left - 8, histo);
    if (left > 12) four(v.w, left - 12, histo);
  }
}
