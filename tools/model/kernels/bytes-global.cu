// 256 bins, a grid-stride loop, atomic additions in global memory.
__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  for (unsigned int i = blockIdx.x * blockDim.x + threadIdx.x; i < length; i += gridDim.x * blockDim.x)
    atomicAdd(&histo[static_cast<unsigned char>(data[i])], 1u);
}
