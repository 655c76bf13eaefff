// expect: failed - - - check=matches_reference explains=share
// Runs over all of the data, in each thread.
__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  __shared__ unsigned int s[7];
  for (unsigned int b = threadIdx.x; b < 7; b += blockDim.x) s[b] = 0;
  __syncthreads();
  unsigned int n = 0;
  int bin = -1;
  for (const char* p = data, *const end = data + length; p < end; p++) {
    const int letter = *p - 'a';
    if (letter < 0 || letter > 25) continue;
    if (bin != letter / 4) {
      if (n) atomicAdd(&s[bin], n);
      bin = letter / 4;
      n = 0;
    }
    n++;
  }
  if (n) atomicAdd(&s[bin], n);
  __syncthreads();
  for (unsigned int b = threadIdx.x; b < 7; b += blockDim.x) atomicAdd(&histo[b], s[b]);
}
