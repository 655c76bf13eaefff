__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  unsigned int counts[26] = {};
  for (unsigned int i = blockIdx.x * blockDim.x + threadIdx.x; i < length; i += gridDim.x * blockDim.x) {
    const unsigned int letter = data[i] - 'a';
    if (letter < 26) ++counts[letter];
  }
  __shared__ unsigned int block_counts[7];
  for (unsigned int b = threadIdx.x; b < 7; b += blockDim.x) block_counts[b] = 0;
  __syncthreads();
  for (unsigned int b = 0; b < 7; ++b) {
    unsigned int sum = 0;
    for (unsigned int l = 4 * b; l < 4 * b + 4; ++l) sum += l < 26 ? counts[l] : 0;
    atomicAdd(&block_counts[b], sum);
  }
  __syncthreads();
  for (unsigned int b = threadIdx.x; b < 7; b += blockDim.x) atomicAdd(&histo[b], block_counts[b]);
}
