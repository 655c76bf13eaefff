// expect: failed data_race any 14 more
// That all write the same value does not help those that read it before it is there.
__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  __shared__ unsigned int h[7];
  __shared__ bool any;
  for (int b = threadIdx.x; b < 7; b += blockDim.x) h[b] = 0;
  if (threadIdx.x == 0) any = false;
  __syncthreads();
  const unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < length && data[i] >= 'a' && data[i] <= 'z') {
    atomicAdd(&h[(data[i] - 'a') / 4], 1u);
    any = true;
  }
  const bool seen = any;
  __syncthreads();
  if (!seen && !any) return;
  for (int b = threadIdx.x; b < 7; b += blockDim.x) atomicAdd(&histo[b], h[b]);
}
