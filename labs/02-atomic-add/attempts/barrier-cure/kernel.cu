__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  const unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
  int letter = -1;
  if (i < length) {
    letter = data[i] - 'a';
  }
  __syncthreads();
  if (letter >= 0 && letter < 26) {
    histo[letter / 4]++;
  }
  __syncthreads();
}
