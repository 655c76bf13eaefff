__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  volatile unsigned int own[7];
  for (unsigned int bin = 0; bin < 7; ++bin) own[bin] = 0;
  for (unsigned int i = blockIdx.x * blockDim.x + threadIdx.x; i < length; i += gridDim.x * blockDim.x) {
    const unsigned int letter = static_cast<unsigned char>(data[i]) - 'a';
    for (unsigned int bin = 0; bin < 7; ++bin)
      if (letter < 26 && letter / 4 == bin) own[bin] = own[bin] + 1;
  }
  __shared__ unsigned int sums[7];
  for (unsigned int bin = threadIdx.x; bin < 7; bin += blockDim.x) sums[bin] = 0;
  __syncthreads();
  for (unsigned int bin = 0; bin < 7; ++bin) atomicAdd(&sums[bin], own[bin]);
  __syncthreads();
  for (unsigned int bin = threadIdx.x; bin < 7; bin += blockDim.x) atomicAdd(&histo[bin], sums[bin]);
}
