// expect: passed
__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  extern __shared__ unsigned int h[];
  for (unsigned int b = threadIdx.x; b < 7; b += blockDim.x) h[b] = 0;
  __syncthreads();
  for (size_t i = blockIdx.x * blockDim.x + threadIdx.x; i < length; i += gridDim.x * blockDim.x) {
    const int l = data[i] - 'a';
    if (l >= 0 && l < 26) atomicAdd(&h[l / 4], 1u);
  }
  __syncthreads();
  for (unsigned int b = threadIdx.x; b < 7; b += blockDim.x) atomicAdd(&histo[b], h[b]);
}
