// A private histogram for each block, in global memory; one block's threads share it and add it to the result at the end.
constexpr unsigned int bins = 7, max_blocks = 4096;
__device__ unsigned int copies[max_blocks * bins];

__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  unsigned int* own = copies + blockIdx.x % max_blocks * bins;
  for (unsigned int bin = threadIdx.x; bin < bins; bin += blockDim.x) own[bin] = 0;
  __syncthreads();
  for (unsigned int i = blockIdx.x * blockDim.x + threadIdx.x; i < length; i += gridDim.x * blockDim.x) {
    const int letter = data[i] - 'a';
    if (letter >= 0 && letter < 26) atomicAdd(&own[letter / 4], 1u);
  }
  __syncthreads();
  for (unsigned int bin = threadIdx.x; bin < bins; bin += blockDim.x) atomicAdd(&histo[bin], own[bin]);
}
