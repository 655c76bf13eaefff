// lab: 06-aggregation
// A run is added to the bin that comes after it.
__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  __shared__ unsigned int counts[7];
  for (unsigned int bin = threadIdx.x; bin < 7; bin += blockDim.x) counts[bin] = 0;
  __syncthreads();
  unsigned int run = 0;
  int held = -1;
  for (unsigned int i = blockIdx.x * blockDim.x + threadIdx.x; i < length; i += gridDim.x * blockDim.x) {
    const int letter = data[i] - 'a';
    if (letter < 0 || letter >= 26) continue;
    const int bin = letter / 4;
    if (bin != held && held >= 0) {
      atomicAdd(&counts[bin], run);
      run = 0;
    }
    held = bin;
    ++run;
  }
  if (held >= 0) atomicAdd(&counts[held], run);
  __syncthreads();
  for (unsigned int bin = threadIdx.x; bin < 7; bin += blockDim.x) atomicAdd(&histo[bin], counts[bin]);
}
