// Barriers and shared atomics are as they should be; only the last step loses what other blocks add.
__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  __shared__ unsigned int mine[7];
  for (unsigned int b = threadIdx.x; b < 7; b += blockDim.x) mine[b] = 0;
  __syncthreads();
  const unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < length && data[i] >= 'a' && data[i] <= 'z') atomicAdd(&mine[(data[i] - 'a') / 4], 1u);
  __syncthreads();
  unsigned int kept = 0;
  for (unsigned int b = threadIdx.x; b < 7; b += blockDim.x) {
    if (mine[b] == 0) continue;
    const unsigned int old = atomicMax(&histo[b], 0u);
    kept |= atomicExch(&histo[b], old + mine[b]) ^ old;
  }
  if (kept == 0xfeedbeef) __trap();
}
