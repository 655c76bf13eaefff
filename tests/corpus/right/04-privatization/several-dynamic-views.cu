// expect: passed
// One dynamic array, seen as words and as bytes.
__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  extern __shared__ unsigned int words[];
  unsigned char* const bytes = (unsigned char*)words;
  for (int k = threadIdx.x; k < 28; k += blockDim.x) bytes[k] = 0;
  __syncthreads();
  const unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < length && data[i] >= 'a' && data[i] <= 'z') atomicAdd(&words[(data[i] - 'a') / 4], 1u);
  __syncthreads();
  for (int b = threadIdx.x; b < 7; b += blockDim.x)
    atomicAdd(&histo[b], (unsigned int)(bytes[4 * b] | bytes[4 * b + 1] << 8 | bytes[4 * b + 2] << 16));
}
