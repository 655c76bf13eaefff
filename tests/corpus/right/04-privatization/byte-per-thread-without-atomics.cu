// expect: passed
// No shared atomics at all: every thread notes its bin, then one thread per bin counts.
__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  __shared__ unsigned char bin_of_thread[1024];
  const unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned char b = 255;
  if (i < length) {
    const unsigned int l = (unsigned char)data[i] - 97u;
    if (l < 26u) b = (unsigned char)(l / 4u);
  }
  bin_of_thread[threadIdx.x] = b;
  __syncthreads();
  for (unsigned int k = threadIdx.x; k < 7; k += blockDim.x) {
    unsigned int n = 0;
    for (unsigned int t = 0; t < blockDim.x; ++t) n += bin_of_thread[t] == k;
    if (n > 0) atomicAdd(&histo[k], n);
  }
}
