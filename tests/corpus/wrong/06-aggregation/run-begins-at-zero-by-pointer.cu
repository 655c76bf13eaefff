// expect: failed - - - check=matches_reference explains=begin
// The letter that begins a run is not counted: the counter is set back to 0 where it should be 1.
__device__ void flush(unsigned int* to, unsigned int& pending) {
  if (to != nullptr) atomicAdd(to, pending);
  pending = 0;
}
__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  __shared__ unsigned int bins[7];
  if (threadIdx.x == 0)
    for (int b = 0; b < 7; ++b) bins[b] = 0;
  __syncthreads();
  unsigned int *open = nullptr, pending = 0;
  unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
  while (i < length) {
    const char c = data[i];
    i += gridDim.x * blockDim.x;
    if (c < 'a' || c > 'z') continue;
    unsigned int* const mine = bins + (c - 'a') / 4;
    if (mine == open) {
      pending += 1;
      continue;
    }
    flush(open, pending);
    open = mine;
  }
  flush(open, pending);
  __syncthreads();
  for (unsigned int b = threadIdx.x; b < 7; b += blockDim.x) atomicAdd(histo + b, bins[b]);
}
