// expect: failed data_race counts 10 more
#include <cuda_fp16.h>
__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  __shared__ half counts[7];
  if (threadIdx.x < 7) counts[threadIdx.x] = 0;
  __syncthreads();
  const unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
  const int letter = i < length ? data[i] - 'a' : -1;
  if (letter >= 0 && letter < 26)
    counts[letter / 4] += half(1);
  __syncthreads();
  if (threadIdx.x < 7) atomicAdd(&histo[threadIdx.x], __half2uint_rn(counts[threadIdx.x]));
}
