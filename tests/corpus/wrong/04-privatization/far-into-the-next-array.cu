// expect: failed out_of_bounds small 9
// The index of one array used for another one: on a GPU it would land in its neighbour.
__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  __shared__ unsigned int small[7];
  __shared__ unsigned int large[4096];
  for (unsigned int k = threadIdx.x; k < 4096; k += blockDim.x) large[k] = 0;
  for (unsigned int k = threadIdx.x; k < 7; k += blockDim.x) small[k] = 0;
  __syncthreads();
  if (threadIdx.x == 0) small[2000] = large[4095];
  const unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < length && data[i] >= 'a' && data[i] <= 'z') atomicAdd(&small[(data[i] - 'a') / 4], 1u);
  __syncthreads();
  for (unsigned int b = threadIdx.x; b < 7; b += blockDim.x) atomicAdd(&histo[b], small[b]);
}
