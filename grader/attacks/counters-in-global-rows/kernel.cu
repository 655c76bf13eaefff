__device__ unsigned int rows[4096][8];
__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  const unsigned int me = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned int* own = rows[me];
  for (unsigned int bin = 0; bin < 8; ++bin) own[bin] = 0;
  for (unsigned int i = me; i < length; i += gridDim.x * blockDim.x) {
    const unsigned int letter = static_cast<unsigned char>(data[i]) - 'a';
    own[letter < 26 ? letter / 4 : 7] += 1;
  }
  __shared__ unsigned int sums[7];
  for (unsigned int bin = threadIdx.x; bin < 7; bin += blockDim.x) sums[bin] = 0;
  __syncthreads();
  for (unsigned int bin = 0; bin < 7; ++bin) atomicAdd(&sums[bin], own[bin]);
  __syncthreads();
  for (unsigned int bin = threadIdx.x; bin < 7; bin += blockDim.x) atomicAdd(&histo[bin], sums[bin]);
}
