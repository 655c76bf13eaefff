// expect: failed out_of_bounds s 9
__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  __shared__ unsigned int s[7];
  for (int b = threadIdx.x; b < 7; b += blockDim.x) s[b] = 0;
  __syncthreads();
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < (int)length && data[i] <= 'z') {
    const int l = data[i] - 'a';
    atomicAdd(&s[l / 4], l >= 0 ? 1u : 0u);
  }
  __syncthreads();
  for (int b = threadIdx.x; b < 7; b += blockDim.x) atomicAdd(&histo[b], s[b]);
}
