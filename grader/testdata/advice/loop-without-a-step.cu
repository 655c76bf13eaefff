// lab: 03
// finding: step_limit - 6/7
// try: Check that the loop's index grows in every round
__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
  while (i < length) {
    if (i < length && data[i] >= 'a' && data[i] <= 'z') atomicAdd(&histo[(data[i] - 'a') / 4], 1u);
//+     i += blockDim.x * gridDim.x;
  }
}
