// expect: passed
// A run is set back to 0, and the letter at hand counted behind that.
__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  __shared__ unsigned int s[7];
  for (unsigned int b = threadIdx.x; b < 7; b += blockDim.x) s[b] = 0;
  __syncthreads();
  unsigned int n = 0;
  int bin = 0;
  for (unsigned int i = blockIdx.x * blockDim.x + threadIdx.x; i < length; i += gridDim.x * blockDim.x) {
    const int letter = data[i] - 'a';
    if (letter < 0 || letter >= 26) continue;
    if (letter / 4 != bin) {
      if (n > 0) atomicAdd(&s[bin], n);
      n = 0;
      bin = letter / 4;
    }
    ++n;
  }
  if (n > 0) atomicAdd(&s[bin], n);
  __syncthreads();
  for (unsigned int b = threadIdx.x; b < 7; b += blockDim.x) atomicAdd(&histo[b], s[b]);
}
