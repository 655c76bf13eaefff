__device__ char kept[1 << 20];
__device__ unsigned int finished;

__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  const unsigned int mine = threadIdx.x + blockDim.x * blockIdx.x;
  if (mine < length) kept[mine] = data[mine];
  __threadfence();
  __syncthreads();
  if (threadIdx.x != 0) return;
  if (atomicInc(&finished, gridDim.x - 1) + 1 != gridDim.x) return;
  __threadfence();
  for (unsigned int k = 0; k != length; ++k) {
    const int letter = static_cast<volatile char*>(kept)[k] - 'a';
    if (letter >= 0 && letter < 26) atomicAdd(&histo[letter / 4], 1u);
  }
}
