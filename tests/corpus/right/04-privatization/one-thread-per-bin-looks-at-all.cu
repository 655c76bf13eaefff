// expect: passed
// Each thread stores its bin. One thread per bin counts them.
__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  __shared__ int bin_of[1024];
  const unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
  const int l = i < length ? data[i] - 'a' : -1;
  bin_of[threadIdx.x] = l >= 0 && l < 26 ? l / 4 : -1;
  __syncthreads();
  for (int b = threadIdx.x; b < 7; b += blockDim.x) {
    unsigned int sum = 0;
    for (unsigned int t = 0; t < blockDim.x; ++t) sum += bin_of[t] == b;
    if (sum) atomicAdd(&histo[b], sum);
  }
}
