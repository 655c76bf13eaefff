extern "C" __device__ const unsigned int coarsening_factor = 0xffffffff;
__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  for (unsigned long i = blockIdx.x * blockDim.x + threadIdx.x; i < length; i += gridDim.x * blockDim.x)
    if (data[i] >= 'a' && data[i] <= 'z') atomicAdd(&histo[(data[i] - 'a') / 4], 1u);
}
