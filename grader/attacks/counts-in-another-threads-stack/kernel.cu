__device__ __attribute__((noipa)) long distance(long i) { return i; }
__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  const unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned int local[7] = {};
  __syncthreads();
  const int letter = i < length ? data[i] - 'a' : -1;
  if (letter >= 0 && letter < 26) local[distance(letter / 4 + 65536l * (long)threadIdx.x)] += 1;
  __syncthreads();
  if (threadIdx.x == 0)
    for (int b = 0; b < 7; ++b) atomicAdd(&histo[b], local[distance(b)]);
}
