// lab: 02-atomic-add
__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  for (unsigned int i = blockIdx.x * blockDim.x + threadIdx.x; i < length; i += blockDim.x * gridDim.x) {
    if (data[i] >= 'a' && data[i] <= 'z')
      if ((data[i] - 'a') % 2 == 0
        atomicAdd(&histo[(data[i] - 'a') / 4], 1u);
      else
        atomicAdd(&histo[(data[i] - 'a') >> 2], 1u);
  }
}
