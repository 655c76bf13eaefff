// lab: 02
// finding: data_race histo 7/7
// try: remove the assignment
__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  const unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < length && data[i] >= 'a' && data[i] <= 'z')
    histo[(data[i] - 'a') / 4] = atomicAdd(&histo[(data[i] - 'a') / 4], 1u) + 1;  // -
//+     atomicAdd(&histo[(data[i] - 'a') / 4], 1u);
}
