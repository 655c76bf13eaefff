// expect: failed out_of_bounds data 5
__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (4 * i < length) {
    const uchar4 q = reinterpret_cast<const uchar4*>(data)[i];
    const unsigned char c[4] = {q.x, q.y, q.z, q.w};
    for (unsigned int k = 0; k < 4; ++k)
      if (4 * i + k < length && c[k] >= 'a' && c[k] <= 'z') atomicAdd(&histo[(c[k] - 'a') / 4], 1u);
  }
}
