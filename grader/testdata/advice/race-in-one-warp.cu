// lab: 04
// finding: data_race mine 10/12
// try: Put __syncthreads() between them: that they are in one warp orders nothing
__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  __shared__ unsigned int mine[7];
  const unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
  for (unsigned int b = threadIdx.x; b < 7; b += blockDim.x) mine[b] = 0;
  __syncthreads();
  if (threadIdx.x % 32 < 16 && i < length && data[i] >= 'a' && data[i] <= 'z') atomicAdd(&mine[(data[i] - 'a') / 4], 1u);
  __syncthreads();
  if (threadIdx.x == 0) mine[0] += 0;
//+   __syncthreads();
  if (threadIdx.x > 15 && threadIdx.x < 32 && mine[0] == 0xffffffff) return;
  __syncthreads();
  if (threadIdx.x % 32 >= 16 && i < length && data[i] >= 'a' && data[i] <= 'z') atomicAdd(&mine[(data[i] - 'a') / 4], 1u);
  __syncthreads();
  for (unsigned int b = threadIdx.x; b < 7; b += blockDim.x) atomicAdd(&histo[b], mine[b]);
}
