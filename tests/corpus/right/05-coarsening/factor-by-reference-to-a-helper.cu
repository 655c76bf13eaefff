// expect: passed
// A helper gets the factor by reference, so each round reads it from memory again.
__device__ unsigned int coarsening_factor = 4;
template <class Count>
__device__ void each_of_mine(const unsigned int& factor, unsigned int length, Count count) {
  const unsigned int first = (blockIdx.x * blockDim.x + threadIdx.x) * factor;
  unsigned int k = 0;
  while (true) {
    if (k == factor || first + k >= length) break;
    count(first + k++);
  }
}
__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  __shared__ unsigned int mine[7];
  for (unsigned int b = threadIdx.x; b < 7; b += blockDim.x) mine[b] = 0;
  __syncthreads();
  each_of_mine(coarsening_factor, length, [&](unsigned int i) {
    const unsigned int letter = data[i] - 'a';
    if (letter < 26) atomicAdd(&mine[letter / 4], 1u);
  });
  __syncthreads();
  for (unsigned int b = threadIdx.x; b < 7; b += blockDim.x) atomicAdd(&histo[b], mine[b]);
}
