// expect: failed data_race histo 7/8 says=both
// The thread that takes ticket 0 zeroes histo; nothing makes the others wait for it.
__device__ unsigned int tickets;
__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  const unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (atomicInc(&tickets, gridDim.x * blockDim.x - 1) == 0)
    for (int b = 0; b < 7; ++b) atomicExch(&histo[b], 0u);
  if (i < length && data[i] >= 'a' && data[i] <= 'z') atomicAdd(&histo[(data[i] - 'a') / 4], 1u);
}
