// expect: compile_error - - -
__global__ void histogram_bytes(const unsigned char* data, unsigned int length, unsigned int* histo, unsigned int num_bins) {
  const unsigned int stride = blockDim.x * gridDim.x;
  for (unsigned int i = blockIdx.x * blockDim.x + threadIdx.x; i < length; i += stride)
    if (data[i] < num_bins) atomicAdd(&histo[data[i]], 1u);
}
