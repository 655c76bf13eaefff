// expect: passed
// Votes by bin, one bin after the other; who is at a bin's vote are the lanes of that bin, in that round.
__device__ void count(unsigned int* histo, unsigned int bin) {
  const unsigned int together = __activemask();
  const unsigned int lane = threadIdx.x % 32;
  if (lane == __ffs(together) - 1) atomicAdd(&histo[bin], __popc(together));
}
__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  const unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= length) return;
  const unsigned int letter = data[i] - 'a';
  for (unsigned int b = 0; b < 7; ++b) {
    if (letter >= 26u || letter / 4 != b) continue;
    count(histo, b);
  }
}
