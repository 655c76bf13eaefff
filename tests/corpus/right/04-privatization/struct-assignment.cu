// expect: passed
struct Seven {
  unsigned int n[7];
};
__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  __shared__ Seven s;
  if (threadIdx.x == 0) s = Seven{};
  __syncthreads();
  const unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < length && data[i] >= 'a' && data[i] <= 'z') atomicAdd(&s.n[(data[i] - 'a') / 4], 1u);
  __syncthreads();
  const Seven copy = s;
  for (int b = threadIdx.x; b < 7; b += blockDim.x) atomicAdd(&histo[b], copy.n[b]);
}
