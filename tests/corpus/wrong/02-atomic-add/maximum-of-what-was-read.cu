// expect: failed - - - check=no_findings whole explains=Between
// One thread per bin and block raises the bin to what it has read and its block's sum.
__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  const unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
  const int letter = i < length ? data[i] - 'a' : -1;
  for (int bin = 0; bin < 7; ++bin) {
    const unsigned int here = __syncthreads_count(letter >= 0 && letter < 26 && letter / 4 == bin);
    if (threadIdx.x == bin % blockDim.x && here > 0)
      atomicMax(&histo[bin], *(volatile unsigned int*)&histo[bin] + here);
  }
}
