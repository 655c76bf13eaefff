// lab: 02
// finding: deadlock histo 8
// try: continue with the value that a compare-and-swap returned
__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  const unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (!(i < length && data[i] >= 'a' && data[i] <= 'z')) return;
  unsigned int seen = *(volatile unsigned int*)&histo[(data[i] - 'a') / 4];
  while (atomicCAS(&histo[(data[i] - 'a') / 4], seen, seen + 1) != seen) {  // -
  }  // -
//+   for (unsigned int found; (found = atomicCAS(&histo[(data[i] - 'a') / 4], seen, seen + 1)) != seen;) seen = found;
}
