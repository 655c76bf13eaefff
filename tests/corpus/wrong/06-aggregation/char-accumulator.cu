// expect: failed - - - check=matches_reference
// The accumulator is a byte and overflows on long runs.
__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  __shared__ unsigned int h[7];
  for (unsigned int b = threadIdx.x; b < 7; b += blockDim.x) h[b] = 0;
  __syncthreads();
  unsigned char n = 0;
  int held = 0;
  const unsigned int threads = 32 * gridDim.x, each = (length + threads - 1) / threads;
  const unsigned int me = blockIdx.x * 32 + threadIdx.x;
  for (unsigned int i = me * each; threadIdx.x < 32 && i < min(length, (me + 1) * each); ++i) {
    const int l = data[i] - 'a';
    if (l < 0 || l > 25) continue;
    if (l / 4 != held && n) { atomicAdd(&h[held], (unsigned int)n); n = 0; }
    held = l / 4;
    ++n;
  }
  if (n) atomicAdd(&h[held], (unsigned int)n);
  __syncthreads();
  for (unsigned int b = threadIdx.x; b < 7; b += blockDim.x) atomicAdd(&histo[b], h[b]);
}
