// expect: passed
// A contiguous chunk per block, interleaved within the block.
__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  const unsigned int chunk = (length + gridDim.x - 1) / gridDim.x;
  const unsigned int first = blockIdx.x * chunk;
  const unsigned int last = first + chunk < length ? first + chunk : length;
  for (unsigned int i = first + threadIdx.x; i < last; i += blockDim.x)
    if (data[i] >= 'a' && data[i] <= 'z') atomicAdd(&histo[(data[i] - 'a') / 4], 1u);
}
