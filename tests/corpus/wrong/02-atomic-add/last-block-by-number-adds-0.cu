// expect: failed - - - check=no_findings explains=ascending
// Reads by an atomic addition of 0; the block with the highest number still is not the last.
struct Sums { unsigned int of[7]; };
__device__ Sums sums;
__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  const unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < length && data[i] >= 'a' && data[i] <= 'z') atomicAdd(&sums.of[(data[i] - 'a') / 4], 1u);
  __syncthreads();
  if (blockIdx.x < gridDim.x - 1) return;
  for (unsigned int b = threadIdx.x; b < 7; b += blockDim.x) {
    const unsigned int sum = atomicAdd(&sums.of[b], 0u);
    histo[b] = sum;
    atomicSub(&sums.of[b], sum);
  }
}
