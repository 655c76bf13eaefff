// expect: compile_error - - 6
// The condition of a switch is not closed.
__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  const unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= length || data[i] < 'a' || data[i] > 'z') return;
  switch ((data[i] - 'a') / 4 {
    case 0: atomicAdd(&histo[0], 1u); break;
    default: atomicAdd(&histo[(data[i] - 'a') / 4], 1u); break;
  }
}
