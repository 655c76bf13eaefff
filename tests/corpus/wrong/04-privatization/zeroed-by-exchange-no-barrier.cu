// expect: failed data_race mine 5|7
// Each store is atomic, but no barrier orders the zeroing and the counting.
__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  __shared__ unsigned int mine[7];
  for (unsigned int b = threadIdx.x; b < 7; b += blockDim.x) atomicExch(&mine[b], 0u);
  const unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < length && data[i] >= 'a' && data[i] <= 'z') atomicAdd(&mine[(data[i] - 'a') / 4], 1u);
  __syncthreads();
  for (unsigned int b = threadIdx.x; b < 7; b += blockDim.x) atomicAdd(&histo[b], mine[b]);
}
