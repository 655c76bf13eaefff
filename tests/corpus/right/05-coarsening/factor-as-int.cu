// expect: passed
extern "C" __device__ const int coarsening_factor = 4;
__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  __shared__ unsigned int s[7];
  for (int b = threadIdx.x; b < 7; b += blockDim.x) s[b] = 0;
  __syncthreads();
  for (int k = 0; k < coarsening_factor; ++k) {
    const unsigned int i = (blockIdx.x * coarsening_factor + k) * blockDim.x + threadIdx.x;
    if (i < length && data[i] >= 'a' && data[i] <= 'z') atomicAdd(&s[(data[i] - 'a') / 4], 1u);
  }
  __syncthreads();
  for (int b = threadIdx.x; b < 7; b += blockDim.x) atomicAdd(&histo[b], s[b]);
}
