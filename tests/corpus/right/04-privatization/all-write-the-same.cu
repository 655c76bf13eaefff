// expect: passed
// All threads zero all bins, and those that find a letter say so: the same values, whoever writes last.
__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  __shared__ unsigned int h[7];
  __shared__ bool any;
  for (int b = 0; b < 7; ++b) h[b] = 0;
  any = false;
  __syncthreads();
  const unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < length && data[i] >= 'a' && data[i] <= 'z') {
    any = true;
    atomicAdd(&h[(data[i] - 'a') / 4], 1u);
  }
  __syncthreads();
  if (!any) return;
  for (int b = threadIdx.x; b < 7; b += blockDim.x) atomicAdd(&histo[b], h[b]);
}
