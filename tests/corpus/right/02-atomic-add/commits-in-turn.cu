// expect: passed
// Each block waits for its turn, adds without atomic operations, and lets the next one go on.
__device__ unsigned int turn = 0;
__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  __shared__ unsigned int bins[7];
  for (unsigned int b = threadIdx.x; b < 7; b += blockDim.x) bins[b] = 0;
  __syncthreads();
  const unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < length && data[i] >= 'a' && data[i] <= 'z') atomicAdd(&bins[(data[i] - 'a') / 4], 1u);
  __syncthreads();
  if (threadIdx.x != 0) return;
  while (atomicAdd(&turn, 0u) % gridDim.x != blockIdx.x) {}
  __threadfence();
  for (int b = 0; b < 7; ++b) histo[b] += bins[b];
  __threadfence();
  atomicAdd(&turn, 1u);
}
