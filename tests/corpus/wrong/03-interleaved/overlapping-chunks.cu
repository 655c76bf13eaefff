// expect: failed - - - check=matches_reference
// A chunk per block; the last element of each is counted by the next block as well.
__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  const unsigned int chunk = (length + gridDim.x - 1) / gridDim.x;
  for (unsigned int i = blockIdx.x * chunk + threadIdx.x; i <= (blockIdx.x + 1) * chunk && i < length; i += blockDim.x)
    if (data[i] >= 'a' && data[i] <= 'z') atomicAdd(&histo[(data[i] - 'a') / 4], 1u);
}
