// expect: compile_error - - 7
struct Bins {
  unsigned int n[7];
  __device__ Bins() { for (int b = 0; b < 7; ++b) n[b] = 0; }
};
__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  __shared__ Bins s;
  __syncthreads();
  const unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < length && data[i] >= 'a' && data[i] <= 'z') atomicAdd(&s.n[(data[i] - 'a') / 4], 1u);
  __syncthreads();
  for (int b = threadIdx.x; b < 7; b += blockDim.x) atomicAdd(&histo[b], s.n[b]);
}
