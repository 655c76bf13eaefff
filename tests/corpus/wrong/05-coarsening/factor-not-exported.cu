// expect: failed - - - explains=exported
constexpr unsigned int coarsening_factor = 4;
__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  __shared__ unsigned int s[7];
  for (unsigned int b = threadIdx.x; b < 7; b += blockDim.x) s[b] = 0;
  __syncthreads();
  const unsigned int first = (blockIdx.x * blockDim.x + threadIdx.x) * coarsening_factor;
  for (unsigned int i = first; i < first + coarsening_factor && i < length; ++i) {
    const unsigned int letter = data[i] - 'a';
    if (letter < 26) atomicAdd(&s[letter / 4], 1u);
  }
  __syncthreads();
  for (unsigned int b = threadIdx.x; b < 7; b += blockDim.x) atomicAdd(&histo[b], s[b]);
}
