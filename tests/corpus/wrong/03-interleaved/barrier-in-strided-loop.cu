// expect: failed barrier_divergence - 7
// Threads go round a different number of times.
__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  for (unsigned int i = blockIdx.x * blockDim.x + threadIdx.x; i < length; i += gridDim.x * blockDim.x) {
    const int l = data[i] - 'a';
    if (l >= 0 && l < 26) atomicAdd(&histo[l / 4], 1u);
    __syncthreads();
  }
}
