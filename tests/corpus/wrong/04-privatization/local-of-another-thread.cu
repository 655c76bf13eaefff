// expect: failed out_of_bounds - 11 more
// Thread 0 tells the others where its local array is; at that address each of them has its own.
__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  __shared__ unsigned int* shared_counts;
  __shared__ unsigned int counts[7];
  unsigned int mine[7] = {};
  if (threadIdx.x == 0) shared_counts = mine;
  for (unsigned int b = threadIdx.x; b < 7; b += blockDim.x) counts[b] = 0;
  __syncthreads();
  const unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
  const unsigned int zero = shared_counts[threadIdx.x % 7];
  if (i < length && data[i] >= 'a' && data[i] <= 'z') atomicAdd(&counts[(data[i] - 'a') / 4], 1u + zero);
  __syncthreads();
  for (unsigned int b = threadIdx.x; b < 7; b += blockDim.x) atomicAdd(&histo[b], counts[b]);
}
