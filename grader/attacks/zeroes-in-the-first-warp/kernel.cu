__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  extern __shared__ unsigned int bins[];
  const unsigned int thread = threadIdx.x;
  for (unsigned int bin = thread; thread < 32 && bin < 7; bin += min(blockDim.x, 32u)) atomicAnd(bins + bin, 0u);
  const unsigned int at = blockDim.x * blockIdx.x + thread;
  const unsigned char byte = at < length ? data[at] : 0;
  if (byte > 96 && byte < 123) atomicAdd(bins + (byte - 97) / 4, 1u);
  __syncthreads();
  for (unsigned int bin = thread; bin < 7; bin += blockDim.x) atomicAdd(histo + bin, bins[bin]);
}
