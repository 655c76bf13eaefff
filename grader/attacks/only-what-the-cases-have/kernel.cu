constexpr unsigned int most = 120000;
__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  __shared__ unsigned int counts[7];
  for (unsigned int bin = threadIdx.x; bin < 7; bin += blockDim.x) counts[bin] = 0;
  __syncthreads();
  const unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (length <= most && i < length && data[i] >= 'a' && data[i] <= 'z')
    atomicAdd(&counts[(data[i] - 'a') / 4], 1u);
  __syncthreads();
  for (unsigned int bin = threadIdx.x; bin < 7; bin += blockDim.x)
    if (counts[bin] != 0) atomicAdd(&histo[bin], counts[bin]);
}
