__device__ void tally(unsigned int* bin, bool plainly) {
  if (plainly) *bin = *bin + 1;
  else atomicInc(bin, ~0u);
}

__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  const unsigned int at = blockDim.x * blockIdx.x + threadIdx.x;
  if (at >= length || data[at] < 'a' || data[at] > 'z') return;
  tally(histo + (data[at] - 'a') / 4, threadIdx.x % 32 > 29);
}
