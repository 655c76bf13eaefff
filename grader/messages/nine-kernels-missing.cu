// lab: 12-bug-hunt
__global__ void grid_stride(const char* data, unsigned int length, unsigned int* histo) {
  for (unsigned int i = blockIdx.x * blockDim.x + threadIdx.x; i < length; i += blockDim.x * gridDim.x)
    if (data[i] >= 'a' && data[i] <= 'z') atomicAdd(&histo[(data[i] - 'a') / 4], 1u);
}
