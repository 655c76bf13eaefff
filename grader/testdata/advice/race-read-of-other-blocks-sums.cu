// lab: 04
// finding: data_race part 13/21
// try: in the last block to draw a ticket: __threadfence(), then atomicAdd on a counter
__device__ unsigned int part[7], tickets;
__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  __shared__ unsigned int mine[7];
  __shared__ bool last;
  const unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
  for (unsigned int b = threadIdx.x; b < 7; b += blockDim.x) mine[b] = 0;
  __syncthreads();
  if (i < length && data[i] >= 'a' && data[i] <= 'z') atomicAdd(&mine[(data[i] - 'a') / 4], 1u);
  __syncthreads();
  for (unsigned int b = threadIdx.x; b < 7; b += blockDim.x) atomicAdd(&part[b], mine[b]);
//+   __threadfence();
  __syncthreads();
  if (threadIdx.x == 0) last = blockIdx.x == gridDim.x - 1;  // -
//+   if (threadIdx.x == 0) last = atomicAdd(&tickets, 1u) == gridDim.x - 1;
  __syncthreads();
  if (!last) return;
  for (unsigned int b = threadIdx.x; b < 7; b += blockDim.x) {
    histo[b] = part[b];
    part[b] = 0;
  }
  if (threadIdx.x == 0) tickets = 0;
}
