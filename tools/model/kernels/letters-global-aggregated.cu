// Runs of equal bins are counted in a register and flushed straight to global memory.
__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  unsigned int run = 0;
  int of = -1;
  for (unsigned int i = blockIdx.x * blockDim.x + threadIdx.x; i < length; i += gridDim.x * blockDim.x) {
    const int letter = data[i] - 'a';
    if (letter < 0 || letter >= 26) continue;
    const int bin = letter / 4;
    if (bin != of) {
      if (run > 0) atomicAdd(&histo[of], run);
      of = bin, run = 0;
    }
    ++run;
  }
  if (run > 0) atomicAdd(&histo[of], run);
}
