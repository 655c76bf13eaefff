// expect: passed
// Slower than three solutions by a hair of the modelled time, which is not as exact as that.
__device__ int coarsening_factor = 16;
constexpr unsigned int bins = 7;
__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  __shared__ unsigned int mine[bins];
  for (unsigned int b = threadIdx.x; b < bins; b += blockDim.x) mine[b] = 0;
  __syncthreads();
  const unsigned int thread = blockIdx.x * blockDim.x + threadIdx.x;
  for (unsigned int k = 0; k < coarsening_factor; ++k) {
    const unsigned int i = thread * coarsening_factor + k;
    if (i >= length) break;
    const int letter = data[i] - 'a';
    if (letter >= 0 && letter < 26) atomicAdd(&mine[letter / 4], 1);
  }
  __syncthreads();
  for (unsigned int b = threadIdx.x; b < bins; b += blockDim.x) atomicAdd(&histo[b], mine[b]);
}
