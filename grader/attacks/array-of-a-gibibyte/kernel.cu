__device__ char large[1u << 30] = {1};
__device__ unsigned char huge[1ul << 40];
__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  const unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i == 0) histo[0] = large[length] + huge[length];
  const int letter = i < length ? data[i] - 'a' : -1;
  if (letter >= 0 && letter < 26) histo[letter / 4] += 1;
}
