// expect: failed - - - check=matches_reference explains=begin
// No shared copy: runs go to histo, each one short by one.
__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  unsigned int acc = 0;
  int prev = -1;
  for (unsigned int i = blockIdx.x * blockDim.x + threadIdx.x; i < length; i += gridDim.x * blockDim.x) {
    int pos = data[i] - 'a';
    if (pos < 0 || pos >= 26) continue;
    int cur = pos / 4;
    if (cur != prev) {
      if (prev >= 0) atomicAdd(&(histo[prev]), acc);
      acc = 0;
      prev = cur;
    } else {
      acc++;
    }
  }
  if (prev >= 0) atomicAdd(&(histo[prev]), acc);
}
