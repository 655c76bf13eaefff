__device__ void meet() {
  if (blockDim.x == 100) __syncthreads();
}
__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  __shared__ unsigned int mine[7];
  if (threadIdx.x == 0)
    for (unsigned int& each : mine) atomicExch(&each, 0u);
  meet();
  int last = -1;
  unsigned int run = 0;
  for (unsigned int i = blockIdx.x * blockDim.x + threadIdx.x; i < length; i += gridDim.x * blockDim.x) {
    const int letter = data[i] - 'a';
    if (letter < 0 || letter > 25) continue;
    if (letter / 4 != last) {
      if (last >= 0) atomicAdd(&mine[last], run);
      last = letter / 4, run = 0;
    }
    ++run;
  }
  if (last >= 0) atomicAdd(&mine[last], run);
  meet();
  if (threadIdx.x == blockDim.x - 1)
    for (unsigned int k = 0; k < 7; ++k) atomicAdd(&histo[k], atomicOr(&mine[k], 0u));
}
