// expect: passed
extern "C" __device__ const unsigned int coarsening_factor = 2;
__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  __shared__ unsigned int h[7];
  for (unsigned int b = threadIdx.x; b < 7; b += blockDim.x) h[b] = 0;
  __syncthreads();
  const unsigned int i = (blockIdx.x * blockDim.x + threadIdx.x) * 2;
  if (i + 1 < length) {
    const char2 two = *(const char2*)(data + i);
    if (two.x >= 'a' && two.x <= 'z') atomicAdd(&h[(two.x - 'a') / 4], 1u);
    if (two.y >= 'a' && two.y <= 'z') atomicAdd(&h[(two.y - 'a') / 4], 1u);
  } else if (i < length) {
    if (data[i] >= 'a' && data[i] <= 'z') atomicAdd(&h[(data[i] - 'a') / 4], 1u);
  }
  __syncthreads();
  for (unsigned int b = threadIdx.x; b < 7; b += blockDim.x) atomicAdd(&histo[b], h[b]);
}
