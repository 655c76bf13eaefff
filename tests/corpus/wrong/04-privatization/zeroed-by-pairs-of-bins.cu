// expect: failed data_race bins 6/9
// Two bins at a time, by a 64-bit exchange; the counts are 32-bit additions.
__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  __shared__ __align__(8) unsigned int bins[8];
  for (unsigned int p = threadIdx.x; p < 4; p += blockDim.x)
    atomicExch(reinterpret_cast<unsigned long long*>(bins) + p, 0ull);
  const unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < length && data[i] >= 'a' && data[i] <= 'z')
    atomicAdd(&bins[(data[i] - 'a') / 4], 1u);
  __syncthreads();
  for (unsigned int b = threadIdx.x; b < 7; b += blockDim.x) atomicAdd(&histo[b], bins[b]);
}
