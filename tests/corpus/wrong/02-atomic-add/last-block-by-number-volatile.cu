// expect: failed data_race sums 6|9
// The block with the highest number is not the last one to finish. Its volatile reads are no race, its exchange is one.
__device__ volatile unsigned int sums[7];
__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  const unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < length && data[i] >= 'a' && data[i] <= 'z') atomicAdd((unsigned int*)&sums[(data[i] - 'a') / 4], 1u);
  __syncthreads();
  if (blockIdx.x == gridDim.x - 1)
    for (unsigned int b = threadIdx.x; b < 7; b += blockDim.x) { histo[b] = sums[b]; atomicExch((unsigned int*)&sums[b], 0u); }
}
