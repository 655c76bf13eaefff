// expect: failed data_race first 8
// All threads note where the block begins, but each computes it of its own index.
__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  __shared__ unsigned int h[7];
  __shared__ unsigned int first;
  for (int b = threadIdx.x; b < 7; b += blockDim.x) h[b] = 0;
  const unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
  first = i;
  __syncthreads();
  if (first < length + blockDim.x && i < length && data[i] >= 'a' && data[i] <= 'z') atomicAdd(&h[(data[i] - 'a') / 4], 1u);
  __syncthreads();
  for (int b = threadIdx.x; b < 7; b += blockDim.x) atomicAdd(&histo[b], h[b]);
}
