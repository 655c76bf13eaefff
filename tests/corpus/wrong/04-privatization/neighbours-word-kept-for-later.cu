// expect: failed data_race turns 9|10
// Everybody reads its neighbour's word, half of them then write their own: nothing orders the two.
__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  __shared__ unsigned int counts[7], turns[1024];
  for (unsigned int b = threadIdx.x; b < 7; b += blockDim.x) counts[b] = 0;
  turns[threadIdx.x] = 1;
  __syncthreads();
  const unsigned int neighbour = threadIdx.x ^ 1;
  const unsigned int turn = neighbour < blockDim.x ? turns[neighbour] : 1;
  if (threadIdx.x % 2 == 1) turns[threadIdx.x] = turn + 1;
  __syncthreads();
  const unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < length && data[i] >= 'a' && data[i] <= 'z') atomicAdd(&counts[(data[i] - 'a') / 4], turns[threadIdx.x] != 0 ? 1u : 0u);
  __syncthreads();
  for (unsigned int b = threadIdx.x; b < 7; b += blockDim.x) atomicAdd(&histo[b], counts[b]);
}
