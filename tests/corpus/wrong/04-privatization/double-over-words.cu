// expect: failed misaligned_access counts 5
// A distance that is known when the kernel is compiled.
__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  __shared__ unsigned int counts[9];
  if (threadIdx.x == 0) *reinterpret_cast<double*>(counts + 1) = 0;
  __syncthreads();
  for (unsigned int b = threadIdx.x; b < 7; b += blockDim.x) counts[b] = 0;
  __syncthreads();
  const unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < length && data[i] >= 'a' && data[i] <= 'z') atomicAdd(&counts[(data[i] - 'a') / 4], 1u);
  __syncthreads();
  for (unsigned int b = threadIdx.x; b < 7; b += blockDim.x) atomicAdd(&histo[b], counts[b]);
}
