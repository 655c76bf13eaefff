// expect: failed - - - check=matches_reference whole explains=keeps
// A flag that says which block came first is never cleared.
__device__ int claimed = 0;
__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  __shared__ bool first;
  if (threadIdx.x == 0) first = atomicCAS(&claimed, 0, 1) == 0;
  __syncthreads();
  if (!first) return;
  for (unsigned int i = threadIdx.x; i < length; i += blockDim.x) if (data[i] >= 'a' && data[i] <= 'z') atomicAdd(&histo[(data[i] - 'a') / 4], 1u);
}
