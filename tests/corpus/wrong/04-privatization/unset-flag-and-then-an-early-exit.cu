// expect: failed uninitialized_read stop 11 first more
// Nobody sets the flag; what is left in it decides which threads come to the barrier. Then some of them are missing.
struct Shared {
  unsigned int bins[7];
};
__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  __shared__ Shared all;
  __shared__ int stop;
  for (unsigned int b = threadIdx.x; b < 7; b += blockDim.x) all.bins[b] = 0;
  __syncthreads();
  if (stop == 1 && threadIdx.x > 7) return;
  if (threadIdx.x > 200) return;
  const unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < length && data[i] >= 'a' && data[i] <= 'z') atomicAdd(&all.bins[(data[i] - 'a') / 4], 1u);
  __syncthreads();
  for (unsigned int b = threadIdx.x; b < 7; b += blockDim.x) atomicAdd(&histo[b], all.bins[b]);
}
