// lab: 02
// finding: data_race histo 7/7
// try: pass only the increment to atomicAdd
__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  const unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < length && data[i] >= 'a' && data[i] <= 'z')
    atomicExch(&histo[(data[i] - 'a') / 4], histo[(data[i] - 'a') / 4] + 1);  // -
//+     atomicAdd(&histo[(data[i] - 'a') / 4], 1u);
}
