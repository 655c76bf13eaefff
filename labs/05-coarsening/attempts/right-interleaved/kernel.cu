__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  __shared__ unsigned int counts[7];
  if (threadIdx.x == 0) {
    for (int bin = 0; bin < 7; ++bin) {
      counts[bin] = 0;
    }
  }
  __syncthreads();

  for (unsigned int i = blockIdx.x * blockDim.x + threadIdx.x; i < length; i += blockDim.x * gridDim.x) {
    const unsigned int letter = static_cast<unsigned char>(data[i]) - 'a';
    if (letter < 26) {
      atomicAdd(&counts[letter / 4], 1u);
    }
  }
  __syncthreads();

  for (unsigned int bin = threadIdx.x; bin < 7; bin += blockDim.x) {
    atomicAdd(&histo[bin], counts[bin]);
  }
}
