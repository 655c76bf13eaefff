// expect: passed slow=fast
__device__ int coarsening_factor = 16;
__device__ int width = 4;
__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  __shared__ unsigned int mine[7];
  for (unsigned int b = threadIdx.x; b < 7; b += blockDim.x) mine[b] = 0;
  __syncthreads();
  const unsigned int me = blockIdx.x * blockDim.x + threadIdx.x;
  int k = 0;
  do {
    const unsigned int i = me * coarsening_factor + k;
    if (i >= length) break;
    const unsigned int letter = data[i] - 97;
    if (letter < 26) atomicAdd(&mine[letter / width], 1u);
  } while (++k < coarsening_factor);
  __syncthreads();
  for (unsigned int b = threadIdx.x; b < 7; b += blockDim.x) atomicAdd(&histo[b], mine[b]);
}
