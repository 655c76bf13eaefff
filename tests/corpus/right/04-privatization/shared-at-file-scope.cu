// expect: passed
__shared__ unsigned int s[7];
__device__ void add(int b) { atomicAdd(&s[b], 1u); }
__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  for (int b = threadIdx.x; b < 7; b += blockDim.x) s[b] = 0;
  __syncthreads();
  const unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < length && data[i] >= 'a' && data[i] <= 'z') add((data[i] - 'a') / 4);
  __syncthreads();
  for (int b = threadIdx.x; b < 7; b += blockDim.x) atomicAdd(&histo[b], s[b]);
}
