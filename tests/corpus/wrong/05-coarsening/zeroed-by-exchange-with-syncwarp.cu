// expect: failed data_race mine 7/14
// __syncwarp orders a warp, not the block.
extern "C" __device__ const unsigned int coarsening_factor = 4;
__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  __shared__ int mine[7];
  for (unsigned int b = threadIdx.x; b < 7; b += blockDim.x)
    atomicExch(&mine[b], 0);
  __syncwarp();
  const unsigned int base = blockIdx.x * blockDim.x * 4 + threadIdx.x;
#pragma unroll
  for (unsigned int k = 0; k < 4; ++k) {
    const unsigned int i = base + k * blockDim.x;
    if (i < length && data[i] >= 'a' && data[i] <= 'z')
      atomicAdd(&mine[(data[i] - 'a') / 4], 1);
  }
  __syncthreads();
  for (unsigned int b = threadIdx.x; b < 7; b += blockDim.x) atomicAdd((int*)&histo[b], mine[b]);
}
