// expect: compile_error - - -
__device__ void histogram(const unsigned char* data, unsigned int length, unsigned int* histo, unsigned int num_bins) {
  for (unsigned int i = threadIdx.x; i < length; i += blockDim.x)
    if (data[i] < num_bins) atomicAdd(&histo[data[i]], 1u);
}
