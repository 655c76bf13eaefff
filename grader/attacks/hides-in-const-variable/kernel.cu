__device__ const unsigned int counts[7] = {1, 2, 3, 4, 5, 6, 7};
__device__ unsigned int done;
__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  const unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
  const int letter = i < length ? data[i] - 'a' : -1;
  if (letter >= 0 && letter < 26) const_cast<unsigned int&>(counts[letter / 4]) = counts[letter / 4] + 1;
  __syncthreads();
  if (threadIdx.x == 0 && atomicAdd(&done, 1u) == gridDim.x - 1)
    for (unsigned int b = 0; b < 7; ++b) histo[b] = counts[b] - b - 1;
}
