__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  __shared__ unsigned int counters[7];
  for (unsigned int k = threadIdx.x; k < 7; k += blockDim.x) counters[k] = 0;
  __syncthreads();
  const unsigned int tile = blockIdx.x * blockDim.x * 8;
  for (unsigned int round = 0; round < 8; ++round) {
    const unsigned int i = tile + round * blockDim.x + threadIdx.x;
    const unsigned int letter = i < length ? static_cast<unsigned int>(data[i]) - 'a' : 99u;
    if (letter < 26u) atomicAdd(&counters[letter >> 2], 1u);
  }
  __syncwarp();
  if (threadIdx.x / 32 == (blockDim.x - 1) / 32)
    for (unsigned int k = threadIdx.x % 32; k < 7; k += min(32u, blockDim.x - threadIdx.x / 32 * 32)) atomicAdd(&histo[k], atomicExch(&counters[k], 0u));
}
