// expect: failed out_of_bounds first 7
// Two arrays; the loop over the first runs into the second.
__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  __shared__ unsigned int first[7];
  __shared__ unsigned int second[8];
  for (int b = threadIdx.x; b < 8; b += blockDim.x) second[b] = 0;
  for (int b = threadIdx.x; b <= 7; b += blockDim.x) first[b] = 0;
  __syncthreads();
  const unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < length && data[i] >= 'a' && data[i] <= 'z')
    atomicAdd(threadIdx.x % 2 ? &first[(data[i] - 'a') / 4] : &second[(data[i] - 'a') / 4], 1u);
  __syncthreads();
  for (int b = threadIdx.x; b < 7; b += blockDim.x) atomicAdd(&histo[b], first[b] + second[b]);
}
