// expect: failed - - - check=matches_reference
struct Run {
  int bin = -1;
  unsigned int letters = 0;
};
__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  __shared__ unsigned int s[7];
  for (unsigned int b = threadIdx.x; b < 7; b += blockDim.x) s[b] = 0;
  __syncthreads();
  Run run;
  for (unsigned int i = blockIdx.x * blockDim.x + threadIdx.x; i < length; i += gridDim.x * blockDim.x) {
    const int letter = data[i] - 'a';
    if (letter < 0 || letter >= 26) continue;
    if (letter / 4 != run.bin) {
      if (run.bin >= 0) atomicAdd(&s[run.bin], run.letters);
      run = Run{letter / 4, 0};
    } else {
      ++run.letters;
    }
  }
  if (run.bin >= 0) atomicAdd(&s[run.bin], run.letters);
  __syncthreads();
  for (unsigned int b = threadIdx.x; b < 7; b += blockDim.x) atomicAdd(&histo[b], s[b]);
}
