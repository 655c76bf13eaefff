// expect: failed data_race counts 7
__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  __shared__ unsigned char counts[7];
  for (int b = threadIdx.x; b < 7; b += blockDim.x) counts[b] = 0;
  __syncthreads();
  const unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < length && data[i] >= 'a' && data[i] <= 'z') counts[(data[i] - 'a') / 4]++;
  __syncthreads();
  for (int b = threadIdx.x; b < 7; b += blockDim.x) atomicAdd(&histo[b], (unsigned int)counts[b]);
}
