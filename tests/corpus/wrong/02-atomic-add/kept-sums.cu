// expect: failed - - - check=matches_reference whole explains=keeps
// The sums in global memory begin at 0 in the first launch only; the ticket is reset.
struct Global { unsigned int sums[7]; unsigned int ticket; };
static __device__ Global global;
__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  const unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < length && data[i] >= 'a' && data[i] <= 'z') atomicAdd(&global.sums[(data[i] - 'a') / 4], 1u);
  __threadfence();
  __syncthreads();
  if (threadIdx.x == 0 && atomicInc(&global.ticket, gridDim.x - 1) == gridDim.x - 1)
    for (int b = 0; b < 7; ++b) histo[b] = atomicAdd(&global.sums[b], 0u);
}
