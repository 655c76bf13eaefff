extern "C" __device__ const unsigned int threads_per_block = 256;
extern "C" __device__ const unsigned int blocks_per_multiprocessor = 8;
constexpr unsigned int bins = 7, together = 16;

__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  __shared__ unsigned int counts[bins];
  if (threadIdx.x < bins) counts[threadIdx.x] = 0;
  __syncthreads();
  for (unsigned int begin = (blockIdx.x * blockDim.x + threadIdx.x) * together; begin < length; begin += gridDim.x * blockDim.x * together) {
    for (unsigned int k = 0; k < together; ++k) {
      if (begin + k < length) {
        const int letter = data[begin + k] - 'a';
        if (letter >= 0 && letter < 26) atomicAdd(&counts[letter / 4], 1u);
      }
    }
  }
  __syncthreads();
  if (threadIdx.x < bins) atomicAdd(&histo[threadIdx.x], counts[threadIdx.x]);
}
